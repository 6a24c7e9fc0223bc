"""The trace of a question, over all programs, as a collector gets it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from sqlmodel import select

from core.storage.tables import TurnRow
from scenarios.conftest import Running, run

QUESTION = "How many days of annual leave do I get?"


@dataclass
class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Keeps what it is sent, by trace: (program, span), and all of its bytes."""

    spans: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    raw: bytes = b""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def Export(self, request: Any, _context: Any) -> Any:  # noqa: N802  (named by the protocol)
        with self.lock:
            self.raw += request.SerializeToString()
            for of_program in request.resource_spans:
                (program,) = (
                    each.value.string_value
                    for each in of_program.resource.attributes
                    if each.key == "service.name"
                )
                for scope in of_program.scope_spans:
                    for span in scope.spans:
                        found = self.spans.setdefault(span.trace_id.hex(), set())
                        found.add((program, span.name))
                        self.parents[span.span_id.hex()] = span.parent_span_id.hex()
        return trace_service_pb2.ExportTraceServiceResponse()


@pytest.fixture(scope="module")
def collector() -> Iterator[tuple[Collector, str]]:
    server, collector = grpc.server(ThreadPoolExecutor(2)), Collector()
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(  # type: ignore[no-untyped-call]
        collector, server
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield collector, f"http://127.0.0.1:{port}"
    server.stop(grace=None)


@pytest.fixture(scope="module")
def traced(
    collector: tuple[Collector, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    settings = {"TRACES_URL": collector[1]}
    yield from run(tmp_path_factory.mktemp("traced"), model=True, settings=settings)


def test_one_trace_leads_from_the_question_to_the_posted_answer_without_a_word_of_them(
    traced: Running, collector: tuple[Collector, str]
) -> None:
    answer = traced.reply(traced.ask(QUESTION))
    assert "30" in answer.plain()
    with traced.database.reading() as session:
        (turn,) = session.exec(select(TurnRow)).all()
    kept = collector[0]
    whole = {
        ("groundwire-bot", "asked"),
        ("groundwire-answer", "worker.answer"),
        ("groundwire-answer", "retrieve"),
        ("groundwire-answer", "generate"),
        ("groundwire-answer", "model"),
        ("groundwire-speaker", "bot.deliver"),
    }
    traced.workspace.wait_until(
        lambda: whole <= kept.spans.get(turn.id, set()), what="all of its spans"
    )
    assert any(name.startswith("slack chat") for _, name in kept.spans[turn.id])
    above = {parent for parent in kept.parents.values() if parent}
    assert above <= kept.parents.keys()  # nothing hangs in the air
    for word in (b"annual", b"leave", b"Sick note"):
        assert word not in kept.raw
