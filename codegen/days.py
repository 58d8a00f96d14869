"""Days as this project writes them: YYYY-MM-DD.

Reads texts; returns whether they are days. Never takes another of the forms that ISO 8601 allows.
"""

from __future__ import annotations

import datetime
import re

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def is_day(text: object) -> bool:
    """Whether a value is a day of the calendar, written YYYY-MM-DD."""
    if not isinstance(text, str) or not _DAY.fullmatch(text):
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True
