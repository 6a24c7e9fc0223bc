"""Makes the pages of the handbook: families of versions and sisters, and the copies of some.

A file of `wiki/` holds families, separated by lines of equals signs: a head in YAML, a line of
dashes, a body in Markdown with Jinja. The head says:

- `key`, `space`, `title`, `updated`, `labels`, `owner`, `parent`: of each page of the family;
- `kind`: what its pages are to each other: `edition` or `sister`;
- `variants`: what differs by page, by name; these win over the head, and the body may use them;
- `facts`: pools, dealt so that no two pages hold the same fact, or a pool for each variant;
- `copies`: of one variant (`of`), by a `person` or in another `space`. `changes` names the facts
  that its owner changed; without any, the copy says the same word for word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import yaml

from evaluation.corpora.handbook.facts import deal
from sandbox.confluence.site.content import account_id

SITE = "https://ostler.example/wiki"
FOLDER = Path(__file__).parent
ONLY = "only"  # the variant of a page without variants

Head = dict[str, Any]


@dataclass(frozen=True)
class Family:
    """Pages made of one template."""

    head: Mapping[str, Any]
    body: str  # Markdown with Jinja

    @property
    def key(self) -> str:
        return str(self.head["key"])


@dataclass(frozen=True)
class Sheet:
    """One page: what its head says after all, and its facts; its body is yet to be rendered."""

    key: str  # family/variant, with @owner where it is a copy
    family: Family
    head: Mapping[str, Any]
    facts: Mapping[str, str]
    original: str = ""  # the key of the page that it was copied from
    changes: tuple[str, ...] = field(default=())  # names of facts

    @property
    def space(self) -> str:
        return str(self.head["space"])

    @property
    def title(self) -> str:
        return str(self.head["title"])

    @property
    def page_id(self) -> str:
        digest = sha256(f"{self.space}:{self.title}:{self.key}".encode()).digest()
        return str(20_000_000 + int.from_bytes(digest[:4], "big") % 70_000_000)

    @property
    def url(self) -> str:
        return f"{SITE}/spaces/{self.space}/pages/{self.page_id}/{quote_plus(self.title)}"

    @property
    def values(self) -> dict[str, Any]:
        """What its templates may name."""
        return {**self.head, **self.facts}

    def stands_as(self, other: Sheet) -> str:
        """What this page is to another of its family: copy, changed, older, newer or sister."""
        root, other_root = self.original or self.key, other.original or other.key
        if root == other_root:
            return "changed" if self.changes or other.changes else "copy"
        mine, theirs = self.head["updated"], other.head["updated"]
        if self.family.head.get("kind") == "sister" or mine == theirs:
            return "sister"
        return "older" if mine < theirs else "newer"


def families() -> list[Family]:
    """All families, in the order of the files and in them."""
    found = []
    for file in sorted((FOLDER / "wiki").glob("*.md")):
        for part in file.read_text(encoding="utf-8").split("\n=====\n"):
            head, _, body = part.partition("\n---\n")
            found.append(Family(yaml.safe_load(head), body.strip() + "\n"))
    return found


def sheets(seed: int) -> list[Sheet]:
    """All pages of this seed."""
    made: list[Sheet] = []
    for family in families():
        made.extend(_of_family(family, seed))
    return made


def _of_family(family: Family, seed: int) -> Iterator[Sheet]:
    variants: dict[str, Head] = family.head.get("variants", {ONLY: {}})
    copies: list[Head] = family.head.get("copies", [])
    facts = _dealt(family, [*variants], copies, f"{seed}/{family.key}")
    common = {"variant": ONLY, "note": "", "owner": "", "labels": [], **family.head}
    originals = {}
    for name, differs in variants.items():
        head = {**common, "variant": name, **differs}
        originals[name] = Sheet(f"{family.key}/{name}", family, head, facts[name])
        yield originals[name]
    for copy in copies:
        yield _copy(originals[copy.get("of", ONLY)], copy, facts[_holder(copy)])


def _dealt(
    family: Family, variants: Sequence[str], copies: Sequence[Head], seed: str
) -> dict[str, dict[str, str]]:
    """The facts by name for each variant, and for each copy those that its owner changed."""
    dealt: dict[str, dict[str, str]] = {}
    for name, pool in family.head.get("facts", {}).items():
        changed = [_holder(copy) for copy in copies if name in copy.get("changes", ())]
        pools = pool if isinstance(pool, Mapping) else {"": pool}
        for variant, said in pools.items():
            holders = [variant] if variant else [*variants, *changed]
            for holder, fact in deal(said, holders, f"{seed}/{name}/{variant}").items():
                dealt.setdefault(holder, {})[name] = fact
    return defaultdict(dict, dealt)


def _copy(original: Sheet, said: Head, changed: Mapping[str, str]) -> Sheet:
    person = said.get("person", "")
    place = {"space": personal_space(person), "owner": person} if person else {}
    return Sheet(
        key=f"{original.key}@{_holder(said)}",
        family=original.family,
        head={**original.head, "labels": [], "parent": "", **place, **said},
        facts={**original.facts, **changed},
        original=original.key,
        changes=tuple(said.get("changes", ())),
    )


def personal_space(person: str) -> str:
    """
    >>> personal_space("Ines Falk")
    '~ines-falk'
    """
    return "~" + account_id(person).partition(":")[2]


def _holder(copy: Head) -> str:
    return personal_space(copy["person"])[1:] if "person" in copy else str(copy["space"])
