"""Asked again: a saved question under other settings or by another model, beside its answer.

It is asked as it was understood, by itself, as everybody may ask it; nothing of it is kept but the
line in the audit log. A model that answers costs its tokens.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from console.asked_again import chosen, compared
from console.guard import Visit
from console.rooms.answer import pages_of, readable
from core.errors import AccessUnknown, StoreUnavailable
from core.policy.audit import Act


def ask(visit: Visit, form: Mapping[str, str]) -> Response:
    saved = readable(visit.parts.database, visit.request.path_params["turn"])
    if saved is None or saved.turn.record is None:
        return visit.not_there()
    if saved.turn.private and saved.turn.record.completed.context:
        return visit.not_there()  # it was understood by what was said before, which stays private
    turn, then = saved.turn, saved.turn.record
    pages = pages_of(turn)
    if not pages <= visit.parts.may_read(pages, visit.reader):
        return visit.not_there()
    manner, with_model = chosen(form, visit.parts.settings)
    details = {"again": manner.model_dump(mode="json")}
    visit.audit(Act.LOOKED_INTO, team=turn.address.team, subject=turn.id, details=details)
    try:
        now = visit.parts.again(then.completed.as_told, manner, with_model)
    except (AccessUnknown, StoreUnavailable):
        return visit.show("unasked", turn=turn, status=503)
    return visit.show(
        "again",
        turn=turn,
        question=then.completed.text,
        then=then,
        now=now,
        evidence=compared(then, now),
    )
