"""Names that come from elsewhere, made fit to be shown.

Reads texts; returns them with every character spelled out that a terminal or a page would obey instead of show: controls (ECMA-48),
line and paragraph separators, directions and other format characters (Unicode, general categories Cc, Cf, Zl, Zp), surrogates. Never
changes a text that has none of them.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable

_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """The text on one line: a newline is spelled out, too."""
    return text if text.isprintable() else "".join(map(_spelled, text))


def visible_lines(text: str) -> str:
    """The same for a text that may have lines."""
    return _but_lines(text, _spelled)


def visible_json(text: str) -> str:
    """JSON text with those characters as JSON escapes (RFC 8259, section 7): the value is the same."""
    return _but_lines(text, lambda sign: json.dumps(sign)[1:-1] if _is_obeyed(sign) else sign)


def _but_lines(text: str, spell: Callable[[str], str]) -> str:
    lines = text.split("\n")
    return "\n".join(line if line.isprintable() else "".join(map(spell, line)) for line in lines)


def _is_obeyed(sign: str) -> bool:
    return unicodedata.category(sign) in _OBEYED


def _spelled(sign: str) -> str:
    if not _is_obeyed(sign):
        return sign
    number = ord(sign)
    if number < 0x100:
        return _SHORT.get(sign, f"\\x{number:02x}")
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
