"""Accumulation rules in words.

Reads a rule in the fragments' notation; returns a sentence in Markdown. Never runs a rule, and knows no stream.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from codegen.emit.reference_words import code, listed
from codegen.rules import Rule, parse

WORDS: Mapping[str, str] = {
    "start": "{source} begins a new object; one of another id becomes a predecessor.",
    "replace": "{source} takes the place of the object.",
    "open": "{source} begins {place}.",
    "put": "{source} is {place} as a whole, in its final form.",
    "set": "{place} becomes {source}.",
    "last": "{place} becomes {source}, unless that is null or empty.",
    "first": "{place} becomes {source}, unless a value is there.",
    "fill": "{place} becomes {source} where no value is there, which is reported.",
    "merge": "{source} is merged into {place}, property by property; null changes nothing.",
    "append": "The text in {source} is added to the end of {place}.",
    "append64": "The base64 text in {source} is added to the end of {place}; each piece may be padded.",
    "appendjson": "The JSON text in {source} is added to the end of {place}; its value may stand in its place.",
    "extend": "The elements of {source} are added to the end of {place}.",
    "add": "{source} becomes one more element of {place}.",
    "unfold": "{source} becomes one more element of {place}, where its union does not know it.",
    "parse": "{place} becomes the value of {source}, a JSON text.",
    "close": "Nothing is added to {place} any more.",
    "collect": "{source} becomes one more element of {place}, which outlasts the object.",
    "agree": "All that the stream said for {place} has to be {source}.",
    "rest": "What no other rule names of {source} goes to {place}.",
    "finish": "The object is final when {place} has got {source}.",
    "fail": "The stream failed, with {source} as the error{when}.",
}
"""A sentence for each verb of `codegen.rules`."""


def in_words(text: str) -> str:
    """What a rule does. ValueError where it is none."""
    rule = parse(text)
    if rule is None:
        return "The accumulated object stays as it is."
    when = ""
    if rule.verb == "fail" and rule.path:
        signs = listed((code(str(name)) for name in rule.path), "or")
        when = f", where {signs} is there" + (f" and {code(rule.keep)} is not" if rule.keep else "")
    said = WORDS[rule.verb].format(source=_source(rule), place=_place(rule), when=when)
    return " ".join([said[0].upper() + said[1:], *_further(rule)])


def _further(rule: Rule) -> list[str]:
    said = []
    if rule.keep and rule.verb in ("start", "replace"):
        said.append(f"Where its {code(rule.keep)} is empty, the entries so far stay.")
    if rule.keep and rule.verb == "rest":
        words = listed(map(code, rule.keep.split()), "or")
        said.append(f"Text is joined where the last word of its name is {words}.")
    missing = [code(json.dumps(each)) for each in rule.creating]
    if missing:
        said.append(f"What was never announced begins as {listed(missing)}.")
    return said


def _source(rule: Rule) -> str:
    if rule.literal:
        return code(json.dumps(rule.literal[0], ensure_ascii=False))
    text = ""
    for step in rule.source:
        text += step if step.startswith("[") else f".{step}"
    if text in ("", ".$"):
        return "the event"
    name = code(text.lstrip(".@").replace("?", ""))
    return f"{name}, kept beside the object" if text[1] == "@" else f"the event's {name}"


def _place(rule: Rule) -> str:
    """A path in words, from the inside to the outside."""
    parts: list[str] = []
    for step in rule.path:
        if isinstance(step, tuple):
            inner = parts.pop() if parts else ""
            name = inner.removesuffix(", kept beside the object")
            keys = listed((code(key.replace("?", "")) for key in step), "or")
            is_one = step and rule.verb != "finish"
            parts.append(f"the entry of {name} at {keys}" if is_one else f"each entry of {name}")
        elif step.startswith("@"):
            parts.append(f"{code(step[1:])}, kept beside the object")
        elif step != "$":
            parts.append(code(step.replace("?", "")))
    return " in ".join(reversed(parts)) or "the object"
