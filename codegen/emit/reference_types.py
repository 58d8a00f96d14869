"""Fields and payload models in the reference.

Reads a package; returns rows and the pages of its models. Never tells a type in another way than the tables of the events do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from codegen.catalogue import Alias, Catalogue, Field, Model, Package
from codegen.emit.reference_pages import Pages, types_by_page
from codegen.emit.reference_words import bounds, code, link, listed, prose, spelled, value
from codegen.emit.render import Files, render
from codegen.emit.vectors_samples import Samples
from codegen.show import references, types_of

USERS = 10
"""Places where a model stands that are told with it."""
PRESENCE = (
    "Always there, and never null",
    "Always there, and null where there is no value",
    "May be absent, and is never null",
    "May be absent, or null, which is not the same",
)
"""By whether a field may be absent (2) and whether it may be null (1)."""


@dataclass(frozen=True)
class Row:
    """A field as the cells of a table, in Markdown."""

    name: str
    type: str
    required: str
    null: str
    more: str


class Types:
    """The types of one package, as one page tells them."""

    def __init__(self, package: Package, samples: Samples, pages: Pages, page: str) -> None:
        self.package = package
        self.samples = samples
        self.pages = pages
        self.page = page

    def link(self, name: str) -> str:
        """A link to a model or an alias."""
        return self.pages.type_link(self.package, name, self.page)

    def rows(self, fields: Iterable[Field]) -> list[Row]:
        """A row for each field."""
        return [
            Row(
                code(field.name),
                spelled(field.type, self.link),
                _yes(field.required),
                _yes(self.samples.nullable(field.type)),
                "; ".join(_more(field)),
            )
            for field in fields
        ]

    def presence(self, fields: Sequence[Field]) -> list[tuple[str, str]]:
        """Fields in words, by whether they may be absent and whether they may be null."""
        groups: dict[int, list[str]] = {}
        for field in fields:
            group = 2 * (not field.required) + self.samples.nullable(field.type)
            groups.setdefault(group, []).append(code(field.name))
        return [(PRESENCE[group], ", ".join(groups[group])) for group in sorted(groups)]


def models(catalogue: Catalogue, pages: Pages) -> Files:
    """The pages of all payload models."""
    files: Files = {}
    for package in catalogue.packages:
        users = _users(package)
        samples = Samples(package)
        grouped = types_by_page(package)
        first = pages.models(package)
        for page, records in grouped.items():
            types = Types(package, samples, pages, page)
            sections = [_section(types, record, users.get(record.name, [])) for record in records]
            files[page] = render(
                "reference/models.jinja",
                package=package.name,
                letter="" if page == first else letter_of(page),
                sections=sections,
            )
        if first not in grouped:
            files[first] = _index(package, pages, grouped)
    return files


def _index(package: Package, pages: Pages, grouped: dict[str, list[Model | Alias]]) -> str:
    page = pages.models(package)
    letters = [
        (
            link(letter_of(each), each, page),
            [pages.type_link(package, one.name, page) for one in found],
        )
        for each, found in grouped.items()
    ]
    return render("reference/letters.jinja", package=package.name, letters=letters)


def letter_of(page: str) -> str:
    """The letter that a page of models is for."""
    return page.rpartition("/")[2].removesuffix(".md").upper()


def _section(types: Types, record: Model | Alias, users: list[str]) -> dict[str, object]:
    shown = [types.link(name) for name in users[:USERS]]
    section: dict[str, object] = {
        "name": record.name,
        "users": ", ".join(shown)
        + (f" and {len(users) - USERS} more" if len(users) > USERS else ""),
        "schema": code(record.schema),
        "sentence": "",
        "rows": [],
        "more": False,
        "lines": [],
    }
    if isinstance(record, Model):
        section["sentence"] = prose(record.sentence)
        section["rows"] = rows = types.rows(record.fields)
        section["more"] = any(row.more for row in rows)
        section["lines"] = list(_undeclared(types, record))
    else:
        section["lines"] = list(_choices(types, record))
    return section


def _undeclared(types: Types, model: Model) -> Iterator[str]:
    if model.extra is not None:
        yield f"Further properties: {spelled(model.extra, types.link)}."
    if model.closed:
        yield "The specification allows no further properties."


def _choices(types: Types, alias: Alias) -> Iterator[str]:
    """What an alias stands for: the members of a union with what tells them apart, or the type."""
    null = " or null" if alias.type.null else ""
    if not alias.cases and not alias.untagged:
        if alias.type.kind in ("constant", "enum"):
            known = [value(each) for each in alias.type.values]
            known += ["any other string"] if alias.type.open else []
            yield f"One of {listed(known, 'or')}{null}."
        else:
            yield f"This is {spelled(alias.type, types.link)}{null}."
        return
    yield (
        f"One of these{null}, told apart by {code(alias.tag)}:"
        if alias.tag
        else f"One of these{null}:"
    )
    yield ""
    for tag, cases in alias.cases:
        yield f"- {value(tag)}: {listed((types.link(case.model) for case in cases), 'or')}"
    if alias.untagged:
        yield f"- without {code(alias.tag)}: {listed((types.link(case.model) for case in alias.untagged), 'or')}"
    for other in alias.others:
        yield f"- {spelled(other, types.link)}"


def _users(package: Package) -> dict[str, list[str]]:
    """Name → the names of models and aliases that refer to it."""
    found: dict[str, list[str]] = {}
    records: list[Model | Alias] = [*package.models, *package.aliases]
    for record in records:
        refs = {name for type_ in types_of(record) for name in references(type_)}
        for name in refs - {record.name}:
            found.setdefault(name, []).append(record.name)
    return found


def _more(field: Field) -> Iterator[str]:
    if field.attribute != field.name:
        yield f"{code(field.attribute)} in Python"
    if field.default:
        yield f"default {value(field.default[0])}"
    if field.type.bounds:
        yield bounds(field.type)
    if field.deprecated:
        yield "deprecated"


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"
