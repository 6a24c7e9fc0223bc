"""A harbour company as an entities file and as pages, for the tests of the entity tree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wiki import page

from core.models import Hit
from core.policy.acl import OPEN_ID, Reader
from core.question import Completed
from worker.entities.entities_file import Entity, read
from worker.entities.tree import Tree, of_file, of_page

FILE = """
- name: Lumo Port Group
  kind: company
  page: "1"
  aliases: [LPG]
  children:
    - name: Harbour Operations
      kind: department
      aliases: [HO, Hafenbetrieb]
      children:
        - name: Crane
          kind: team
          aliases: [Kran]
          children:
            - {name: Ida Holm, kind: lead}
            - {name: Ben Sato, kind: member}
            - {name: Aoife Byrne, kind: member}
        - {name: Pilot, kind: team}
        - {name: Tug, kind: team, page: "2"}
    - name: Corporate Services
      kind: department
      children:
        - {name: Support, kind: team}
        - {name: HR, kind: team, aliases: [Personalwesen]}
        - name: Finance Team
          kind: team
"""


def entities(tmp_path: Path, text: str = FILE) -> tuple[Entity, ...]:
    file = tmp_path / "entities.yaml"
    file.write_text(text, encoding="utf-8")
    return read(file)


def tree(file: Sequence[Entity] = (), **pages: Any) -> Tree:
    """Pages by id (`p1`), each a title or more; open to everybody unless `acl` says otherwise."""
    indexed = {}
    for key, said in pages.items():
        more = {"title": said} if isinstance(said, str) else dict(said)
        acl = more.pop("acl", OPEN_ID)
        made = page(key[1:], **more)
        indexed[made.key] = of_page(made.key, acl, made.model_dump(mode="json"))
    return Tree(indexed, of_file(file, indexed))


def said(hits: Sequence[Hit]) -> list[str]:
    return [line for hit in hits for line in hit.evidence.text.splitlines()]


def completed(question: str, **more: Any) -> Completed:
    return Completed(question=question, **({"text": question} | more))


FEW = Reader(frozenset({OPEN_ID, "few"}), "user:1")
