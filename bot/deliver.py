"""Says what the worker answered: opens the placeholder, shows progress, and puts the final text in its place."""

from __future__ import annotations

import time
from collections.abc import Sequence

from slack_sdk.errors import SlackApiError

from bot import blocks, follow, messages, takeback
from bot.blocks import Said
from bot.follow import Heard
from bot.mrkdwn import escape, quiet
from bot.parts import Parts
from bot.presence import Presence
from bot.progress import build_stopped
from bot.speak import ANSWER, Voice, code, is_gone
from bot.telling import Telling
from core import conversations, line, logs
from core.conversations import Turn
from core.leases import lease
from core.queue import Task

LATE_S = 3600.0  # a question that nobody could work on is answered up to this much later, then closed with a reason

log = logs.get(__name__)


def answer(parts: Parts, turn_id: str) -> None:
    """See a turn through to its final message; does nothing when that stands already, or is in other hands."""
    with lease(parts.database, f"{Task.DELIVER}:{turn_id}") as held:
        turn = conversations.load(parts.database, turn_id)
        if held is None or turn is None or turn.delivered or turn.is_forgotten:
            return
        try:
            turn = _say_answer(parts, turn)
        except SlackApiError as error:
            if not is_gone(error):
                raise  # the sweeper lets somebody try again
            log.error("deliver.no_place_left", turn=turn_id, error=code(error))
        conversations.delivered(parts.database, turn)


def _say_answer(parts: Parts, turn: Turn) -> Turn:
    """Say it, and give back the turn as it was said; of one that is forgotten meanwhile, nothing more."""
    with Presence(parts, turn) as presence:
        telling = Telling(parts, turn, presence)
        turn, heard = _finished(parts, _patient(parts, turn), telling)
        if turn.is_forgotten:
            return turn
        first, *more = _final(turn, heard)
        telling.finish(*first)
    _say_more(parts, turn, more)
    log.info("delivered", turn=turn.id, state=turn.state, reason=turn.reason, seconds=round(time.time() - turn.patience_from, 2))
    return turn


def _say_more(parts: Parts, turn: Turn, more: Sequence[Said]) -> None:
    """The other messages of a long answer; shown anew, it may need fewer than before."""
    kinds = [f"{ANSWER}-{number}" for number in range(2, len(more) + 2)]
    for kind, said in zip(kinds, more, strict=True):
        Voice(parts.client, parts.database, turn, kind).finish(*said)
    for post in conversations.posts(parts.database, turn.id):
        if post.kind.startswith(f"{ANSWER}-") and post.kind not in kinds:
            takeback.delete(parts, turn, post)
            conversations.drop_post(parts.database, post)


def _patient(parts: Parts, turn: Turn) -> Turn:
    """A question that waited for our own programs to come back has not used up its patience by that."""
    now = time.time()
    overdue = not turn.queued and now > turn.patience_from + parts.settings.answer_patience_s
    if turn.state == "waiting" and overdue and now < turn.asked_at + LATE_S:
        conversations.be_patient_again(parts.database, turn.id)
        return conversations.load(parts.database, turn.id) or turn
    return turn


def _finished(parts: Parts, turn: Turn, telling: Telling) -> tuple[Turn, Heard]:
    """Wait for the turn to be finished, showing progress; close it with a reason when the patience ends."""
    heard = Heard()
    for events in follow.events(parts, turn.id):
        heard.hear(events)
        turn = conversations.load(parts.database, turn.id) or turn
        if not turn.queued and time.time() > turn.patience_from + parts.settings.answer_patience_s:
            if conversations.fail(parts.database, turn.id, "late"):  # it does nothing when the answer came at this very moment
                line.call_next(parts.database, turn.address, after=turn.id)
            turn = conversations.load(parts.database, turn.id) or turn
        if turn.state != "waiting":
            return turn, heard
        telling.show(heard, queued=turn.queued)
    raise AssertionError("events never end")


def _final(turn: Turn, heard: Heard) -> list[Said]:
    """What stands there in the end; a long answer is several messages."""
    above = blocks.build_question(turn.question, turn.user) if turn.by_button else []
    if turn.record is not None:
        return blocks.build_messages(turn.id, turn.record.completed, turn.record.answer, above)
    written = quiet(heard.text).strip() if turn.reason == "stopped" else ""
    text = "\n".join([*([escape(written)] if written else []), messages.reason(turn.reason)])
    return [Said(text, build_stopped(turn.id, turn.reason, written, above))]
