"""The list of what a stream did that it should not have, kept small.

Reads problems; keeps the first ones. Never lets many that are only worth knowing push out one that is more.
"""

from __future__ import annotations

from .records import Problem

MAX_PROBLEMS = 1000
"""How many problems at level info are kept, and how many above it; one more then says that there were more."""


class Problems(list[Problem]):
    """Problems in order.

    seen  how many there were, also those that are not kept
    """

    def __init__(self) -> None:
        super().__init__()
        self._infos = 0
        self._others = 0

    @property
    def seen(self) -> int:
        return self._infos + self._others

    def keep(self, problem: Problem) -> None:
        """Append a problem, unless there are too many of its kind already."""
        if problem.level == "info":
            self._infos += 1
            count = self._infos
        else:
            self._others += 1
            count = self._others
        if count <= MAX_PROBLEMS:
            self.append(problem)
        elif count == MAX_PROBLEMS + 1:
            what = f"further problems at level {problem.level} are not kept"
            self.append(Problem("more-problems", problem.level, what))
