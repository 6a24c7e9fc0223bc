"""Traces (OpenTelemetry): where the seconds from a question to its posted answer go, by turn.

The id of a turn is the id of its trace, so nothing has to travel with messages: whoever knows the
turn, in any program, adds to the same trace. Off unless TRACES_URL is set. No text is in a span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from opentelemetry import context, trace
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import IdGenerator, RandomIdGenerator
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

from core.settings import Settings

_A_TURN = re.compile("[0-9a-f]{32}")
_tracer = trace.get_tracer("groundwire")
_begun: ContextVar[str] = ContextVar("begun", default="")  # the turn whose first span begins


def configure(settings: Settings, program: str) -> None:
    """Send the spans of this process to TRACES_URL, where it is set."""
    if settings.traces_url is None:
        return
    # Loaded only where it is used: it brings gRPC.
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )

    is_https = settings.traces_url.startswith("https://")
    exporter = OTLPSpanExporter(settings.traces_url, insecure=not is_https)
    resource = Resource.create({SERVICE_NAME: f"groundwire-{program}"})
    provider = TracerProvider(resource=resource, id_generator=_Ids())
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)


def asked(turn_id: str) -> None:
    """The first span of a turn: it was written down."""
    token = _begun.set(turn_id)
    try:
        _tracer.start_span("asked", context=context.Context()).end()
    finally:
        _begun.reset(token)


@contextmanager
def of_turn(name: str, turn_id: str) -> Iterator[None]:
    """A span of this turn's trace; what is done inside adds spans below it.

    Of what is no turn, such as a modal, there is no trace.
    """
    if not _A_TURN.fullmatch(turn_id):
        yield
        return
    above = trace.set_span_in_context(NonRecordingSpan(_first(turn_id)), context.Context())
    with _tracer.start_as_current_span(name, context=above, record_exception=False):
        yield


@contextmanager
def span(name: str) -> Iterator[None]:
    """A span below the one that this thread is in; nothing where there is none."""
    if not trace.get_current_span().is_recording():
        yield
        return
    with _tracer.start_as_current_span(name, record_exception=False):
        yield


class _Ids(IdGenerator):
    """Ids of a turn's first span are made of the turn's id, all others by chance."""

    def __init__(self) -> None:
        self._random = RandomIdGenerator()

    def generate_trace_id(self) -> int:
        turn_id = _begun.get()
        return _first(turn_id).trace_id if turn_id else self._random.generate_trace_id()

    def generate_span_id(self) -> int:
        turn_id = _begun.get()
        return _first(turn_id).span_id if turn_id else self._random.generate_span_id()


def _first(turn_id: str) -> SpanContext:
    """Of the first span: a turn's id is a UUID, whose 128 bits name a trace."""
    return SpanContext(
        trace_id=int(turn_id, 16),
        span_id=int(turn_id[:16], 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )
