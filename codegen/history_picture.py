"""A history as a picture.

Reads steps; returns SVG: events per stream over time. Never depends on the machine: no dates of drawing, no random names,
text as text.
"""

from __future__ import annotations

import datetime
import io
import re
from typing import Any

from codegen.history_steps import Step

EPOCH = datetime.date(1970, 1, 1).toordinal()
"""Where matplotlib counts days from (date.epoch)."""
STYLES = ("-", "--", "-.", ":")


def draw(steps: list[Step]) -> str:
    """The picture, as SVG text; streams that always have the same number of events share a line."""
    import matplotlib  # here, because it takes longer to load than all else

    matplotlib.use("svg")
    from matplotlib import pyplot

    settings: Any = {"svg.hashsalt": "codegen", "svg.fonttype": "none", "font.family": "sans-serif"}
    with pyplot.style.context("default"), matplotlib.rc_context(settings):
        figure, axes = pyplot.subplots(figsize=(10, 5.5))
        for number, (days, counts, names) in enumerate(_lines(steps)):
            style = STYLES[number % len(STYLES)]
            axes.plot(
                [day.toordinal() - EPOCH for day in days],
                counts,
                style,
                drawstyle="steps-post",
                marker="o",
                markersize=4,
                label=", ".join(names),
            )
        axes.xaxis_date()
        axes.set_ylabel("events")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize="small", loc="upper left")
        figure.autofmt_xdate()
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
    return re.sub(r"[ \t]+\n", "\n", text.getvalue())


def _lines(steps: list[Step]) -> list[tuple[list[datetime.date], list[int], list[str]]]:
    """Days and numbers of events, with the streams of which they are true."""
    named: dict[tuple[tuple[datetime.date, int], ...], list[str]] = {}
    for stream in sorted({name for step in steps for name in step.counts}):
        points = tuple(
            (datetime.date.fromisoformat(step.date), step.counts[stream])
            for step in steps
            if stream in step.counts
        )
        named.setdefault(points, []).append(stream)
    return [
        ([day for day, _ in points], [count for _, count in points], names)
        for points, names in named.items()
    ]
