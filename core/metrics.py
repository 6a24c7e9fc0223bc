"""Prometheus metrics: what is counted and timed; every process exposes its own numbers.

Labels have few values and name nobody: no person, no channel, no turn, no word of a question.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import Counter, Gauge, Histogram

from core.logs import tracing
from core.storage import clock

# Seconds.
_WAITED = (0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300, 3600)

ASKED = Counter("groundwire_questions", "Questions written down.", ["how"])
DELIVERED = Counter(
    "groundwire_answers_delivered", "Final messages, by outcome: done, or the reason.", ["outcome"]
)
FIRST_PROGRESS = Histogram(
    "groundwire_first_progress_seconds",
    "From a question to our first status or message.",
    buckets=_WAITED,
)
FINAL = Histogram(
    "groundwire_answer_seconds", "From a question to the final message.", buckets=_WAITED
)
VOTES = Counter("groundwire_votes", "Votes cast.", ["vote", "by"])
EXPLANATIONS = Counter("groundwire_explanations_requested", "Explanations asked for.")
EXPLAINED = Counter(
    "groundwire_explanations_finished",
    "Explanations that ended, by outcome: done, or the reason.",
    ["outcome"],
)

CONFIRMING = Histogram(
    "groundwire_confirmation_seconds",
    "Seconds it took to ask who may read the pages of an answer; outcome: told, or failed.",
    ["outcome"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 2, 3, 5, 8, 13),
)
TAKEN_BACK = Counter(
    "groundwire_answers_taken_back", "Answers blanked because a page of theirs was closed."
)
TAKEN_UP = Counter(
    "groundwire_answers_taken_up",
    "Questions answered by themselves after they had ended late, or quoted without the model.",
)

ENQUEUED_AGAIN = Counter(
    "groundwire_enqueued_again", "Work whose message was lost, or whose worker died.", ["task"]
)
LEASES_LOST = Counter(
    "groundwire_leases_lost",
    "Times that work was given up since somebody else had taken it over.",
)
STEP_SECONDS = Histogram(
    "groundwire_step_seconds",
    "Seconds of a step from a question to its answer: complete, filter, retrieve, confirm, …",
    ["step"],
    buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30),
)

SENTENCES_CHECKED = Counter(
    "groundwire_sentences_checked",
    "Sentences of models' answers that were compared with the pages they cite: supported, or not.",
    ["outcome"],
)

ANSWERS_READ = Counter(
    "groundwire_answers_read",
    "Answers that a model read again: believed, not_believed, unreadable, unavailable.",
    ["outcome"],
)

SEARCHED_AGAIN = Counter(
    "groundwire_searched_again",
    "Questions searched once more in a model's words: answered, unanswered, nothing_new.",
    ["outcome"],
)

MESSAGES_READ = Counter(
    "groundwire_messages_read",
    "Messages that a model read since the bot was not sure of them: said, unreadable, unavailable.",
    ["outcome"],
)

CLOCK_SKEW = Gauge(
    "groundwire_clock_skew_seconds", "How far this host's clock is ahead of the database's."
)
CLOCK_SKEW.set_function(clock.shared.skew_s)

MODEL_CALLS = Counter("groundwire_model_calls", "Calls of the chat model.", ["model", "outcome"])
MODEL_TOKENS = Counter(
    "groundwire_model_tokens",
    "Tokens, as the model's endpoint counts them.",
    ["model", "direction"],
)
MODEL_SECONDS = Histogram(
    "groundwire_model_seconds", "Seconds of a call.", ["model"], buckets=_WAITED
)


class Timings:
    """Seconds by step, for the numbers, the traces and the saved record."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            with tracing.span(name):
                yield
        finally:
            seconds = time.perf_counter() - started
            self.seconds[name] = round(seconds, 4)
            STEP_SECONDS.labels(name).observe(seconds)
