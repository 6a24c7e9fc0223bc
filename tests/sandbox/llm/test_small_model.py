"""The small real model, where it is installed, streams an answer to the product's own client."""

from __future__ import annotations

import sys
import time

import pytest

from core.settings import Settings
from sandbox.llm import small
from sandbox.programs.environment import child_environment
from sandbox.programs.processes import Programs
from worker.generation.chat_model import ChatModel

EVIDENCE = (
    "Evidence:\n[1] Leave\n    Porto has 25 days of leave.\n\n"
    "Question: How many days of leave does Porto have?"
)


@pytest.fixture(scope="module")
def url(programs: Programs) -> str:
    """The endpoint of the running model."""
    try:
        small.require()
    except small.NotInstalled as error:
        pytest.skip(str(error))
    command = [sys.executable, "-m", "sandbox.llm", "--model", small.NAME, "--port", "0"]
    program = programs.start(
        "smollm2", command, child_environment(), ready=r"listening on (http://\S+/v1)"
    )
    return program.wait_until_ready().group(1)


def test_a_real_model_answers_in_pieces_and_cites(url: str) -> None:
    pieces: list[str] = []
    model = ChatModel(Settings(llm_base_url=url, llm_timeout_s=100), small.NAME)
    reply = model.written(
        EVIDENCE,
        system="Answer from the evidence.",
        pages=(),
        deadline=time.time() + 100,
        on_text=pieces.append,
    )
    assert reply.text.endswith(("]", "?", "."))
    assert len(pieces) > 1
    assert "".join(pieces).strip() == reply.text
    assert reply.usage.prompt_tokens > 20
    assert reply.usage.completion_tokens > 1


def test_without_its_packages_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(small.NotInstalled, match="scripts/install sandbox,smollm2"):
        small.require()
