"""The pages of App Home and of suggested prompts are confirmed, then the bot goes on."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import redis
from wiki import page, piece

from core.access import confirmations
from core.access.authorizer import Authorizer
from core.access.disclosure import EVERYBODY, of_pages
from core.access.policy import Policy
from core.errors import SourceUnreachable
from core.jobs.queue import TaskName
from core.models import Page
from core.pages import CONFLUENCE, PageKey
from core.policy.acl import OPEN_ID
from core.storage.database import Database
from core.storage.index_tables import EvidenceRow, PageRow
from core.turns import turn_store
from core.turns.turn import Address, NewQuestion
from worker.confirmation import confirm_examples


@dataclass
class Witness:
    """Sees these pages; None: it is not there."""

    sees: Mapping[str, bool] | None
    asked: list[str] = field(default_factory=list)
    requests: int = 0

    def visible(self, pages: Sequence[Page], *, most: int) -> dict[str, bool]:
        self.asked = [page.id for page in pages]
        if self.sees is None:
            raise SourceUnreachable("no answer")
        return {each: self.sees.get(each, False) for each in self.asked}


def authorizer(database: Database, witness: Witness) -> Authorizer:
    there: Any = {CONFLUENCE: object()}  # it is configured, and asked by nobody but the witness
    return Authorizer(database, there, Policy, witnesses={CONFLUENCE: witness})


def put(database: Database, key: str, space: str, heading: str = "") -> None:
    evidence = piece("Much.", key, heading_path=(heading,) if heading else ())
    title = f"Page {key}"
    row = page(key, title).model_dump(mode="json")
    with database.session() as session:
        session.add(PageRow(id=key, space=space, title=title, record=row, acl_id=OPEN_ID))
        session.flush()
        stored = evidence.model_dump(mode="json")
        session.add(EvidenceRow(id=key, page_id=key, acl_id=OPEN_ID, record=stored, text_hash=key))


def next_tasks(queues: redis.Redis) -> list[list[str]]:
    waiting = [json.loads(each) for each in queues.lrange("speak", 0, -1)]
    return [
        [each["headers"]["task"], *json.loads(base64.b64decode(each["body"]))[0]]
        for each in waiting
    ]


def test_examples_spaces_and_questions_of_buttons_are_confirmed(
    database: Database, queues: redis.Redis
) -> None:
    put(database, "1", "OPS", "Handing over")
    put(database, "2", "HR")
    put(database, "3", "OPS")
    asked = NewQuestion(
        Address("T1", "C1", "1.0", "1.0"),
        "U1",
        "?",
        by_button=True,
        shows=of_pages([PageKey(CONFLUENCE, "3")]),
    )
    assert turn_store.ask(database, asked)
    witness = Witness({"1": True, "2": False, "3": True})
    ids = ("T1", "U1", "shown")
    confirm_examples(database, authorizer(database, witness), TaskName.PUBLISH_HOME, *ids)
    assert witness.asked == ["1", "2", "3"]
    known = confirmations.of_pages(
        database, EVERYBODY, [PageKey(CONFLUENCE, each) for each in ("1", "2", "3")]
    )
    assert {key.id: found.allowed for key, found in known.items()} == {
        "1": True,
        "2": False,
        "3": True,
    }
    assert next_tasks(queues) == [["bot.publish_home", *ids]]


def test_the_bot_goes_on_when_the_source_is_away(database: Database, queues: redis.Redis) -> None:
    put(database, "1", "OPS", "Handing over")
    away = authorizer(database, Witness(None))
    confirm_examples(database, away, TaskName.SUGGEST_PROMPTS, "T1", "U1", "D1")
    assert next_tasks(queues) == [["bot.suggest_prompts", "T1", "U1", "D1"]]
