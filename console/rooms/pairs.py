"""Pairs: questions with what answers them, looked at, accepted or refused."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import RedirectResponse, Response

from console.guard import Visit
from console.rendering import HEADERS
from core.pairs import pairs
from core.policy.acl import EVERYBODY
from core.policy.audit import Act
from core.states import PairState

MOST = 50  # pairs on the page
LOOKED_AT = 500  # the newest, of which those are shown whose page everybody may read


def show(visit: Visit) -> Response:
    state = _state(visit.asked("state")) or PairState.PROPOSED
    found = pairs.of_state(visit.parts.database, state, LOOKED_AT)
    pages = visit.parts.readable({pair.page for pair in found}, EVERYBODY)
    shown = [pair for pair in found if pair.page in pages]
    return visit.show(
        "pairs",
        pairs=shown[:MOST],
        more=len(shown) - MOST,
        pages=pages,
        state=state.value,
        states=[each.value for each in PairState],
    )


def decide(visit: Visit, form: Mapping[str, str]) -> Response:
    pair_id, state = form.get("pair", ""), _state(form.get("state", ""))
    if state is None or not pairs.decide(visit.parts.database, pair_id, state):
        return visit.not_there()
    visit.audit(Act.PAIR_DECIDED, subject=pair_id, details={"state": state.value})
    before = _state(form.get("shown", "")) or PairState.PROPOSED
    return RedirectResponse(f"/pairs?state={before.value}", 303, headers=HEADERS)


def _state(asked: str) -> PairState | None:
    return PairState(asked) if asked in list(PairState) else None
