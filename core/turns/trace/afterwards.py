"""The trace of what hangs on an answer: posts in Slack, its explanation, votes, reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.attribution import Effect, Explanation
from core.turns.explanations import Request
from core.turns.feedback import CastVote, PastVote
from core.turns.post_store import Post
from core.turns.sources.source_reports import Report
from core.turns.trace.step import Facts, TraceStep, utc
from core.turns.turn import Turn


def delivered(turn: Turn, posts: Sequence[Post]) -> TraceStep:
    """Where our messages are; one without a place was about to be posted."""
    outputs = {
        "delivered": turn.delivered,
        "times_changed": turn.edition,
        "posts": list(map(_post, posts)),
    }
    module = "bot/delivery/answer_delivery.py"
    return TraceStep("deliver", module, {"state": turn.state}, outputs)


def explained(request: Request) -> TraceStep:
    """Who wanted to know why, and what came of it."""
    inputs = {"asked_by": request.requested_by, "at": utc(request.requested_at)}
    outputs: Facts = {
        "state": request.state,
        "reason": request.reason or "",
        "delivered": request.delivered,
        "chart": request.has_picture,
    }
    result = request.result
    if result is not None:
        outputs |= _explanation(result)
    seconds = result.seconds if result else None
    module = "worker/attribution/attributor.py"
    return TraceStep("explain", module, inputs, outputs, seconds)


def voted(votes: Sequence[CastVote], history: Sequence[PastVote]) -> Iterator[TraceStep]:
    """The votes that count, and how they came about."""
    if history:
        outputs = {"votes": list(map(_vote, votes)), "history": list(map(_vote, history))}
        yield TraceStep("vote", "bot/listeners/feedback.py", {}, outputs)


def reported(reports: Sequence[Report]) -> Iterator[TraceStep]:
    if reports:
        outputs = {"reports": list(map(_report, reports))}
        yield TraceStep("report", "bot/listeners/answer_menu.py", {}, outputs)


def _post(post: Post) -> Facts:
    return {
        "kind": post.kind,
        "stands": post.ts is not None,
        "channel": post.channel,
        "ts": post.ts or "",
        "file": post.file,
    }


def _explanation(result: Explanation) -> Facts:
    usage = result.usage
    return {
        "method": result.method.value,
        "tested": result.tested,
        "verdict": result.verdict.value if result.verdict else "",
        "path": result.path.value,
        "test_answers": result.tries,
        "model": result.model,
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "effects": list(map(_effect, result.effects)),
        "left_undone": [stage.value for stage in result.left_undone],
        "not_tested": list(result.skipped),
    }


def _effect(effect: Effect) -> Facts:
    return {
        "without": effect.label,
        "sources": list(effect.source_numbers),
        "effect": effect.effect,
        "share": effect.share,
        "role": effect.role.value if effect.role else "",
        "evidence_ids": list(effect.evidence_ids),
    }


def _vote(cast: CastVote | PastVote) -> Facts:
    return {
        "vote": cast.vote.value if cast.vote else "taken back",
        "user": cast.user,
        "by": cast.by,
        "at": utc(cast.at),
        "reason": cast.reason,
    }


def _report(report: Report) -> Facts:
    return {
        "sources": list(report.numbers),
        "user": report.user,
        "at": utc(report.at),
        "text": report.text,
        "evidence_ids": list(report.evidence_ids),
    }
