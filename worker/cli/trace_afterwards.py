"""The trace of what hangs on an answer: posts in Slack, its explanation, votes, reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.attribution import Effect, Explanation
from core.turns.explanations import Request
from core.turns.feedback import CastVote
from core.turns.post_store import Post
from core.turns.source_reports import Report
from core.turns.turn import Turn
from worker.cli.trace_step import Facts, TraceStep, utc


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


def voted(votes: Sequence[CastVote]) -> Iterator[TraceStep]:
    if votes:
        outputs = {"votes": list(map(_vote, votes))}
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
        "verdict": result.verdict.value if result.verdict else "",
        "test": result.test,
        "model": result.model,
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "changes_by_itself": result.null.mean,
        "changes_without_any": result.empty.mean,
        "effects": list(map(_effect, result.effects)),
        "together": list(map(_effect, result.together)),
        "not_tested": list(result.skipped),
    }


def _effect(effect: Effect) -> Facts:
    return {
        "without": effect.label,
        "sources": list(effect.source_numbers),
        "change": effect.change.mean,
        "share": effect.share,
        "verdict": effect.verdict.value if effect.verdict else "",
        "p_value": effect.p_value,
        "evidence_ids": list(effect.evidence_ids),
    }


def _vote(cast: CastVote) -> Facts:
    return {
        "vote": cast.vote.value,
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
