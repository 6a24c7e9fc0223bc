"""Has a model say what a message means that the bot is not sure of, and hands it to a speaker.

Whatever goes wrong, the speaker decides by itself: at once, or when the sweeper finds that nobody
has come back.
"""

from __future__ import annotations

from typing import Any

from core.dialogue.likely import Meaning
from core.dialogue.message import read_back
from core.jobs import afterwards
from core.jobs.afterwards import PutOff
from core.jobs.queue import TaskName, enqueue_or_log
from core.pages import PageKey
from core.policy import spending
from core.policy.prices import cost
from core.storage import clock
from core.turns import disclosures
from core.turns.turn import Address
from worker.bootstrap import WorkerParts
from worker.pipeline.steps import DEFAULT
from worker.question.meant import meant

WAIT_S = 5.0  # at most: whoever wrote it sees nothing yet


def understand(parts: WorkerParts, row_id: str) -> None:
    """Add to what was put off what the model says of it, if it says anything."""
    found = afterwards.load(parts.database, row_id)
    if found is None or found[0] is not PutOff.MEANT:
        return
    if meaning := _meaning(parts, found[1]):
        afterwards.add(parts.database, row_id, meant=meaning)
    enqueue_or_log(row_id, TaskName.AFTERWARDS)


def _meaning(parts: WorkerParts, given: dict[str, Any]) -> Meaning | None:
    """By the model, within the budget of whoever has written it."""
    database, chosen, user = parts.database, parts.settings, given["said"]["user"]
    where = Address(**given["said"]["where"])
    model = parts.pipeline.trusted(DEFAULT)
    if model is None or spending.is_used_up(database, chosen, where.team, user):
        return None
    then = {PageKey(*page) for page in given["pages"]}  # an answer may be another one since
    pages = disclosures.pages_in(database, where) | then
    message, deadline = read_back(given["message"]), clock.now() + WAIT_S
    meaning, used = meant(model, message, pages=pages, deadline=deadline)
    money = cost(used, model.name, chosen.prices)
    spending.spend(database, where.team, user, usage=used, money=money)
    return meaning
