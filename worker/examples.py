"""Confirms the pages that App Home and suggested prompts name, which no question is about."""

from __future__ import annotations

from core.access.authorizer import Authorizer
from core.access.index_overview import disclosed, examples, overview
from core.jobs.queue import TaskName, enqueue
from core.policy.acl import EVERYBODY
from core.storage.database import Database
from core.turns import disclosures


def confirm(database: Database, authorizer: Authorizer, then: TaskName, *ids: str) -> None:
    """Ask who may read them now, and have the bot do what comes `then`, for this team and person.

    What a source does not say is not named, so there is nothing to do about it here.
    """
    team, user, *_ = ids
    named = disclosed((), examples(database)).pages
    spaces = disclosed(overview(database).spaces, ()).pages
    asked = disclosures.of_questions(database, team, user)
    authorizer.check([*sorted(named), *sorted(spaces), *sorted(asked)], EVERYBODY)
    enqueue(then, *ids)
