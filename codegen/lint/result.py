"""What the check of one capture gave.

Reads nothing; is filled by the linter and told by reports. Never holds an event.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from codegen.lint.captures import Capture
from codegen.lint.findings import Findings


@dataclass
class Result:
    """What the check of one capture gave.

    outcome  complete, truncated or error, as the package's reader has it
    final    from a lane to its final object as JSON; raises the package's StreamError where there is none
    """

    capture: Capture
    stream: str
    how: str
    dialect: str | None = None
    events: int = 0
    bytes: int = 0
    outcome: str = ""
    findings: Findings = field(default_factory=Findings)
    lanes: list[str | None] = field(default_factory=list)
    final: Callable[[str | None], Any] | None = None
