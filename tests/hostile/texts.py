"""Texts that someone who writes a specification could hope to see run, shown or followed.

Reads nothing; returns texts by what they try. Never holds half of a surrogate pair: no UTF-8 text can, and JSON that escapes
one is refused as a whole.
"""

from __future__ import annotations

import keyword

CALL = "__import__('os').system('touch /tmp/owned')"

TEXTS: dict[str, str] = {
    "double quote": f'"; {CALL}; "',
    "single quote": f"'; {CALL}; '",
    "triple double quotes": f'"""\n{CALL}\n"""',
    "triple single quotes": f"'''\n{CALL}\n'''",
    "a quote at the end": 'x"',
    "two quotes at the end": 'x""',
    "backslash at the end": "x\\",
    "backslash and quote": f'\\"; {CALL} #',
    "backslashes and quotes": f'\\\\\\"\\\\"; {CALL} #\\',
    "newline": f"x\n{CALL}\n",
    "carriage return": f"x\r{CALL}\r",
    "line separators": f"x\u2028{CALL}\u2029{CALL}\x85{CALL}\x0b{CALL}\x0c{CALL}",
    "file and group separators": f"x\x1c{CALL}\x1d\x1e{CALL}",
    "template expression": "{{ 7 * 7 }}{{ self.__init__.__globals__ }}",
    "template statement": "{% import 'os' as os %}{% for x in y %}{% endfor %}{# #}",
    "format field": "{0.__class__}{name!r:>{width}} %s %(x)s",
    "bidi override": "user\u202e\u2066// admin\u2069\u202c",
    "zero width": "a\u200bb\u200dc\ufeffd\u00ad",
    "NUL": "a\0b",
    "controls": "a\x1b[31mred\x07\x7f\x9b",
    "homoglyphs": "ѕеlf сlаѕѕ",
    "astral": "😀\U000e0041\U0010ffff",
    "NFKC to a keyword": "ｃｌａｓｓ ℐmport",
    "comment and code": f"# noqa\n{CALL}",
    "encoding cookie": "# -*- coding: utf-7 -*-",
    "escapes": r"\x22\u0022\N{QUOTATION MARK}\101\
",
    "call": CALL,
    "dunder": "__class__",
    "walrus and lambda": "(lambda: (x := 1))()",
    "annotation": f"int] = {CALL}  # [",
    "forward reference": f"List['{CALL}']",
    "html": "</script><script>alert(1)</script><!-- -->",
    "shell": "$(touch /tmp/owned) `touch /tmp/owned`; rm -rf /",
    "path up": "../../../../tmp/owned",
    "absolute path": "/tmp/owned.py",
    "pointer escapes": "~0~1~2%2F%7E1%00",
    "json": '{"$ref": "file:///etc/passwd"}',
    "empty": "",
    "space": " ",
    "very long": "a" * 100_000,
    "very long quotes": "\"'\\" * 20_000,
}  # fmt: skip

OURS: tuple[str, ...] = tuple(
    "Record Table Choice Shape Wire Payloads Kept UnknownEvent UnknownObject Event EVENTS TABLES CHOICES ALIASES PAYLOADS WIRE "
    "Accumulator AsyncReader Reader Lanes ErrorInfo Problem StreamError DecodeError Rule RULES PLAN STREAM FRAMING Union Any "
    "Literal TypeAlias TYPE_CHECKING dataclass annotations NamedTuple StreamInfo SourceInfo STREAMS SOURCES Callable Iterable "
    "AsyncIterable TypeVar T AliasHolder Package Package_ Model Field Enum Optional List Dict Self Final ClassVar InitVar "
    "Dialect Departures Repairs DIALECTS Stream Framing".split()
)
"""Names that our modules, or those of the tools between, give to something."""

BUILTINS: tuple[str, ...] = tuple(
    "str int float bool list dict object type None True False Exception print exec eval super property __import__ __name__ "
    "__all__ __file__ __builtins__ id len open".split()
)
PAYLOAD: tuple[str, ...] = tuple(
    "self _wire __class__ __dict__ __init__ __slots__ __eq__ __hash__ __repr__ __getattr__ __post_init__ __annotations__ "
    "__module__ __doc__ __weakref__ __dataclass_fields__ mro type tag data cls".split()
)
KEYWORDS: tuple[str, ...] = (*keyword.kwlist, *keyword.softkwlist)
CONVERTED: tuple[str, ...] = (
    "a-b",
    "a_b",
    "a b",
    "aB",
    "AB",
    "ab",
    "a.b",
    "a/b",
    "a~b",
    "Ab",
    "A-B",
    "A_B2",
    "AB2",
    "a--b",
)
"""Names that come out alike, or nearly, when they are made fit for Python."""
