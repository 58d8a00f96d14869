"""Accumulation rules: from the fragments' notation to the form that the runtime reads.

Reads rules as text; returns tuples. Never runs a rule, and looks at no schema.

    ignore
    start $ with SOURCE [keep NAME]        a new snapshot; that of another response becomes a predecessor
    replace $ with SOURCE [keep NAME]      the snapshot anew; the list NAME stays where the new one's is empty
    open PATH = SOURCE [creating JSON …]   an entry that begins; another one with its key stays in front of it
    put PATH = SOURCE [creating JSON …]    an entry or an object as a whole, in its final form
    set PATH = SOURCE [creating JSON …]    a text as a whole; SOURCE may be a JSON text such as "searching"
    last PATH = SOURCE                     a value, unless it is null or empty
    first PATH = SOURCE                    a value, unless one is there
    fill PATH = SOURCE                     the same, for what a server leaves out: it is reported
    merge PATH = SOURCE                    an object, property by property; null changes nothing
    append PATH += SOURCE [creating JSON …]    text; append64: base64 whose pieces may be padded;
                                           appendjson: JSON text, in place of which its value may stand
    extend PATH += SOURCE                  a list
    add PATH += SOURCE                     one more element of a list
    unfold PATH += SOURCE                  the same, where SOURCE is a member that its union does not know
    parse PATH = @NAME                     the object of the JSON text beside, with the key of the path's entry
                                           (`[]` for each entry whose text was not parsed before)
    close PATH                             an entry to which nothing is added any more
    collect @NAME += SOURCE                one more element of a list that stays over all snapshots
    agree READ = SOURCE [creating JSON …]  the text that the stream's `reads` has under READ, as a whole
    rest PATH = SOURCE [joining WORD …]    every undeclared property that no other rule names; text is appended where the
                                           name's last word is one of these, objects are merged, and anything else is the
                                           last value
    finish PATH when SOURCE                the snapshot is final when SOURCE is there for every entry
    fail with SOURCE [when NAME [without NAME]]    the stream failed, unless SOURCE is empty; `when` a property says so
                                           (`error/errors`) and another one is not there

PATH starts at the snapshot, at `$` (itself) or at `@NAME` (kept beside it). `[key]` names the property that says which
entry is meant, of the event or, where SOURCE goes through a list (`choices[]`), of that list's element; `[key, item.id]`
also says which id the entry has, for events without the key; `[index, id, function.name/custom.name]` is the key of pieces that may
lack an index. SOURCE may go through those elements of a list that have a value (`content[type=text]`) and through the first
of several properties that is there, if need be empty (`delta/message`). `?` after a name says that the schemas do not have it. `creating`
gives what an entry starts with that was never announced, one JSON object per `[key]`; where it lists several types, the
entry may have any of them and starts with the first; where it has none, no event announces such entries.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_RULE = re.compile(
    r"(?P<verb>open|put|set|last|first|fill|merge|append|append64|appendjson|extend|add|unfold|collect|agree|rest|parse) (?P<path>\S.*?) \+?="
    r" (?P<source>.*?)(?: creating (?P<creating>\{.*\}))?(?: joining (?P<joining>[\w ]+))?"
    r"|(?P<whole>start|replace) \$ with (?P<with>\S+)(?: keep (?P<keep>\w+))?"
    r"|close (?P<place>\S+)"
    r"|fail with (?P<failure>\S+)(?: when (?P<signs>\S+))?(?: without (?P<without>\w+))?"
    r"|finish (?P<entry>\S+) when (?P<reason>\S+)"
)
_STEP = re.compile(
    r"(?P<name>[@\w]+\??(?:/\w+\??)*)|\[(?P<key>[\w ,.=/?]*)\]|(?P<dot>\.)|(?P<whole>\$)"
)


@dataclass(frozen=True)
class Rule:
    """A rule in the runtime's form.

    path      names as text, keys as tuples of dotted names
    source    names; "[]" goes through a list; () is the whole event
    literal   a tuple of no or one JSON value that stands for the source
    keep      the list that stays, or the words of `joining`
    """

    verb: str
    path: tuple[str | tuple[str, ...], ...] = ()
    source: tuple[str, ...] = ()
    literal: tuple[Any, ...] = ()
    creating: tuple[dict[str, Any], ...] = ()
    keep: str = ""


def parse(text: str) -> Rule | None:
    """The rule that a text says; None for ignore. Raises ValueError with what is wrong."""
    if text == "ignore":
        return None
    match = _RULE.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not a rule; codegen/rules.py has the notation of each verb")
    if match["place"]:
        return Rule("close", _path(match["place"]))
    if match["failure"]:
        signs = tuple(alternatives(match["signs"])) if match["signs"] else ()
        return Rule("fail", signs, _source(match["failure"]), keep=match["without"] or "")
    if match["entry"]:
        return Rule("finish", _path(match["entry"]), _source(match["reason"]))
    if match["whole"]:
        return Rule(match["whole"], source=_source(match["with"]), keep=match["keep"] or "")
    source = match["source"]
    literal: tuple[Any, ...] = ()
    try:
        if source[:1] in '"[{0123456789-' or source in ("null", "true", "false"):
            literal, source = (json.loads(source),), "$"
        creating = tuple(_objects(match["creating"] or ""))
    except json.JSONDecodeError as error:
        raise ValueError(f"{text!r}: not JSON: {error}") from None
    joining = match["joining"] or ""
    return Rule(match["verb"], _path(match["path"]), _source(source), literal, creating, joining)


def read_path(text: str) -> tuple[Any, ...]:
    """A path of `reads` in the runtime's form: names, and for `[type=message]` (type, message), with first or last in
    front of it where `[last type=message]` says so."""
    steps: list[Any] = []
    for name, selection in re.findall(r"([\w]+)|\[([^\]]*)\]", text):
        steps.append(name if name else tuple(re.split(r"[ =]", selection)) if selection else ())
    return tuple(steps)


def claimed(rules: tuple[Rule, ...], rest: Rule) -> tuple[str, ...]:
    """The names that other rules take from, or put where, a `rest` rule takes and puts what is left."""
    taken, put = len(rest.source), len(rest.path)
    names: list[str] = []
    for rule in rules:
        if rule.source[:taken] == rest.source and len(rule.source) > taken:
            names += alternatives(rule.source[taken])
        target = rule.path[put] if rule.path[:put] == rest.path and len(rule.path) > put else ""
        if isinstance(target, str) and target and target[0] != "@":
            names.append(target.rstrip("?"))
    key = rest.path[-1] if rest.path else ()
    names += [name for name in key if isinstance(key, tuple) and "." not in name]
    return tuple(dict.fromkeys(names))


def alternatives(step: str) -> list[str]:
    """The names of a step of a source, without the mark of what the schemas do not have."""
    return [name.rstrip("?") for name in step.split("/")]


def bare(source: tuple[str, ...]) -> tuple[str | tuple[str, ...], ...]:
    """A source in the runtime's form: names without marks, and of several names all."""
    steps = [step if step.startswith("[") else alternatives(step) for step in source]
    return tuple(
        step if isinstance(step, str) else step[0] if len(step) == 1 else tuple(step)
        for step in steps
    )


def _objects(text: str) -> list[dict[str, Any]]:
    decoder, found, start = json.JSONDecoder(), [], 0
    while start < len(text):
        value, start = decoder.raw_decode(text, start)
        found.append(value)
        while start < len(text) and text[start] in " ,":
            start += 1
    return found


def _steps(text: str) -> list[str | tuple[str, ...]]:
    found: list[str | tuple[str, ...]] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if not match:
            raise ValueError(f"{text!r} is not a path")
        at = match.end()
        if match["name"]:
            found.append(match["name"])
        elif match["key"] is not None:
            found.append(tuple(part.strip() for part in match["key"].split(",") if part.strip()))
    return found


def _path(text: str) -> tuple[str | tuple[str, ...], ...]:
    return tuple(_steps(text))


def _source(text: str) -> tuple[str, ...]:
    return tuple(step if isinstance(step, str) else f"[{''.join(step)}]" for step in _steps(text))
