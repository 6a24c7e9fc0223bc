"""Prometheus metrics of Slack alone; what another chat would count too is in core.metrics."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

# Seconds; the third to last is where Slack takes an event for lost.
_ACKNOWLEDGED = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 3, 10, 30)

ACKNOWLEDGED = Histogram(
    "groundwire_slack_request_seconds",
    "Until an event or a click was acknowledged.",
    ["kind", "status"],
    buckets=_ACKNOWLEDGED,
)
UNHANDLED = Counter(
    "groundwire_slack_unhandled", "What Slack sent and nobody listens to.", ["kind"]
)
ERRORS = Counter(
    "groundwire_slack_errors",
    "Calls of Slack's Web API that ended in an error.",
    ["method", "error"],
)
RATE_LIMITED = Counter(
    "groundwire_slack_rate_limited", "Times that Slack said to wait (429).", ["method"]
)
CONFIRMED_AGE = Histogram(
    "groundwire_confirmation_age_seconds",
    "How long ago it was asked who may read the pages of what was sent to Slack, the longest.",
    buckets=(0.5, 1, 2, 3, 5, 8, 10, 15, 30, 60, 300, 3600),
)
STOPPED = Counter(
    "groundwire_gate_stopped",
    "What the gate did not let out to Slack: its pages were not confirmed for its readers.",
    ["call"],
)
OUTBOX_WAITING = Gauge(
    "groundwire_outbox_waiting", "Calls that wait for room in Slack's limits.", ["urgency"]
)
OUTBOX_WAIT = Histogram(
    "groundwire_outbox_wait_seconds",
    "How long a call waited for room in Slack's limits.",
    ["urgency"],
    buckets=(0.01, 0.1, 0.5, 1, 2, 5, 10, 30),
)
OUTBOX_DROPPED = Counter(
    "groundwire_outbox_dropped",
    "Calls that were not made because Slack's limits had no room for them.",
    ["method", "urgency"],
)
UNREAD = Counter(
    "groundwire_slack_threads_unread",
    "Times that Slack let us not look for a message of ours, so that it may be there twice.",
    ["error"],
)
CAUGHT_UP = Counter("groundwire_slack_caught_up", "Questions from when the bot was off.")
FIRST_WORDS = Counter(
    "groundwire_slack_first_words", "Questions that no speaker took up for some seconds."
)
