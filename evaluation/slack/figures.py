"""Quantiles and counts that all measures of Slack report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import httpx
from prometheus_client.parser import text_string_to_metric_families

from sandbox.programs.stack import Stack
from sandbox.slack.client import Workspace

Json = dict[str, Any]
Figures = dict[str, float | None]


def quantiles(name: str, values: Sequence[float], *percents: int) -> Figures:
    """A row for each; None where there is nothing to measure. 100 is the longest."""
    return {
        f"{name}, {'max' if percent == 100 else f'p{percent}'}": quantile(values, percent)
        for percent in percents
    }


def quantile(values: Sequence[float], percent: int) -> float | None:
    if not values:
        return None
    place = min(len(values) - 1, len(values) * percent // 100)
    return round(sorted(values)[place], 2)


def events_of_people(workspace: Workspace) -> list[Json]:
    """Deliveries of what people said, with when they were sent and acknowledged."""
    deliveries = workspace.state()["deliveries"]
    return [each for each in deliveries if each["kind"] == "events_api" and _of_a_person(each)]


def acknowledged_ms(events: Sequence[Json]) -> list[float]:
    """From the first attempt to the acknowledgement."""
    return [
        1000 * (each["acknowledged_at"] - each["sent_at"][0])
        for each in events
        if each["acknowledged"]
    ]


def _of_a_person(delivery: Json) -> bool:
    event = delivery["payload"]["event"]
    return "bot_id" not in event and "subtype" not in event


def calls(workspace: Workspace) -> Figures:
    """How often each method was called, and how often Slack answered 429."""
    received = workspace.received()
    by_method = Counter(call.method for call in received)
    limited = sum(call.status == 429 for call in received)
    shown: Mapping[str, int] = {f"calls, {name}": n for name, n in sorted(by_method.items())}
    return {"calls, answered 429": limited, **shown}


def dropped(stack: Stack) -> float | None:
    """Writes that bot and speaker say they have dropped; None where they keep no such count."""
    ports = (stack.settings.health_port, stack.settings.speaker_metrics_port)
    counts = [count for port in ports for count in _dropped_by(f"http://127.0.0.1:{port}/metrics")]
    return sum(counts) if counts else None


def _dropped_by(url: str) -> list[float]:
    text = httpx.get(url, trust_env=False).text
    families = [f for f in text_string_to_metric_families(text) if "dropped" in f.name]
    samples = [sample for family in families for sample in family.samples]
    return [sample.value for sample in samples if sample.name.endswith("_total")]
