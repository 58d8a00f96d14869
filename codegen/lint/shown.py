"""Text of a stream as a terminal may show it.

Reads text; returns text. Never lets a control character, a surrogate or an invisible one through.
"""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with an escape for each character that is not printed."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def name(text: str) -> str:
    """A name that the stream gives, which should be short: what is more than 200 characters is left out."""
    return printable(text if len(text) <= 200 else text[:199] + "…")


def piece(text: str, width: int) -> str:
    """The begin of a text, in quotes, in no more characters than `width`."""
    if not text:
        return ""
    found = printable(text[:width])
    return f'"{found}"' if len(found) + 2 <= width and len(text) <= width else f'"{found[: width - 3]}…"'  # fmt: skip
