"""Trace of a saved turn, told as its way through the program, from SQL alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from core.states import TurnState
from core.storage.database import Database
from core.turns import explanations, feedback, post_store, turn_store
from core.turns.explanations import Request
from core.turns.feedback import CastVote, PastVote
from core.turns.post_store import Post
from core.turns.sources import source_reports
from core.turns.sources.source_reports import Report
from core.turns.trace import afterwards
from core.turns.trace.answer import answer_steps
from core.turns.trace.step import Facts, TraceStep, utc
from core.turns.turn import Turn


@dataclass(frozen=True)
class SavedTurn:
    """A turn with all that hangs on it."""

    turn: Turn
    posts: tuple[Post, ...] = ()
    explanation: Request | None = None
    votes: tuple[CastVote, ...] = ()
    vote_history: tuple[PastVote, ...] = ()
    reports: tuple[Report, ...] = ()


def load(database: Database, turn_id: str) -> SavedTurn | None:
    """All that SQL holds of a turn; None when it is unknown."""
    turn = turn_store.load(database, turn_id)
    if turn is None:
        return None
    return SavedTurn(
        turn=turn,
        posts=post_store.of_turn(database, turn_id),
        explanation=explanations.load(database, turn_id),
        votes=feedback.of_turn(database, turn_id),
        vote_history=feedback.history(database, turn_id),
        reports=source_reports.of_turn(database, turn_id),
    )


def nothing_to_tell(turn_id: str, saved: SavedTurn | None) -> str:
    """Why there is no trace; empty when there is one."""
    if saved is None:
        return f"no turn {turn_id}: take the id from the log, where it stands as turn=…"
    if not saved.turn.is_forgotten:
        return ""
    left = "are gone from" if saved.turn.delivered else "have still to be deleted in"
    return f"turn {turn_id} is forgotten: its words are erased, our messages {left} Slack"


def summary(turn: Turn, now: float) -> str:
    """What has become of the turn, in one sentence; `now` in seconds since 1970."""
    if turn.state == TurnState.WAITING:
        waited = f"{now - turn.asked_at:.0f} s"
        return f"turn {turn.id} has waited {waited} for its answer: {_wait(turn)}"
    after = f" after {took:.1f} s" if (took := _took(turn)) is not None else ""
    if turn.state == TurnState.FAILED:
        return f"turn {turn.id} ended without an answer{after}: {_reason(turn)}"
    where = "it stands in Slack" if turn.delivered else "it is not delivered yet"
    return f"turn {turn.id} was answered{after}; {where}"


def steps(saved: SavedTurn, *, with_prompt: bool = False) -> Iterator[TraceStep]:
    """The steps that the turn has gone so far, in order."""
    turn = saved.turn
    yield _asked(turn)
    yield _job(turn)
    if turn.record is not None:
        yield from answer_steps(turn.record, filtered=turn.filtered, with_prompt=with_prompt)
    yield afterwards.delivered(turn, saved.posts)
    if saved.explanation is not None:
        yield afterwards.explained(saved.explanation)
    yield from afterwards.voted(saved.votes, saved.vote_history)
    yield from afterwards.reported(saved.reports)


def as_json(saved: SavedTurn, now: float, *, with_prompt: bool = False) -> Facts:
    """The same as one value, nothing shortened."""
    turn = saved.turn
    return {
        "turn": turn.id,
        "state": turn.state,
        "reason": turn.reason or "",
        "summary": summary(turn, now),
        "steps": [asdict(step) for step in steps(saved, with_prompt=with_prompt)],
    }


def _asked(turn: Turn) -> TraceStep:
    address = turn.address
    inputs = {
        "question": turn.question,
        "user": turn.user,
        "team": address.team,
        "channel": address.channel,
        "thread": address.thread_ts,
        "ts": address.ts,
        "by_button": turn.by_button,
    }
    outputs = {"turn": turn.id, "asked_at": utc(turn.asked_at), "private": turn.private}
    return TraceStep("ask", "bot/listeners/questions.py", inputs, outputs)


def _job(turn: Turn) -> TraceStep:
    """The work on it, from the question to its end, with what it waited."""
    inputs = {"behind_another": turn.queued}
    outputs: Facts = {
        "state": turn.state,
        "reason": turn.reason or "",
        "attempts": turn.attempts,
        "patience_began_after": round(turn.patience_from - turn.asked_at, 1),
    }
    return TraceStep("job", "worker/jobs.py", inputs, outputs, _took(turn))


def _took(turn: Turn) -> float | None:
    return None if turn.finished_at is None else turn.finished_at - turn.asked_at


def _wait(turn: Turn) -> str:
    if turn.queued:
        return "an earlier question of its thread comes first"
    if turn.attempts:
        return f"a worker has taken it up (attempt {turn.attempts})"
    return "no worker has taken it up"


def _reason(turn: Turn) -> str:
    ends = f" until {utc(turn.refused_until)}" if turn.refused_until else ""
    return f"`{turn.reason}`{ends}, in words in languages/en.po"
