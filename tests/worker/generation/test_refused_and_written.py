"""Writing: what the gate refuses is shown where a model that is trusted has read it again."""

from __future__ import annotations

import time

import pytest
from reading_models import agreeing, knowing
from wiki import HOTEL, hit, page, piece

from core.embeddings.bundled import Bundled
from core.metrics import Timings
from core.models import Note
from core.question import Completed
from core.settings import Settings
from sandbox.http.server import running
from sandbox.llm.scoring import build
from sandbox.llm.scripted import Messages, Script, last_user_text, toy
from worker.extractive.extractor import Extractor
from worker.generation.chat_model import ChatModel
from worker.generation.generator import GeneratedAnswer, Generator
from worker.generation.second_reader.model_reader import ModelReader
from worker.generation.writing import Writing
from worker.support.check import SupportCheck
from worker.support.decision import Support

ASKED = "What does a hotel in Porto cost?"
QUESTION = Completed(question=ASKED, text=ASKED)
FOUND = hit(piece(HOTEL, "1"), page("1", "Travel"))
INVENTED = "Porto hotels are free for whoever asks."


def saying(text: str) -> Script:
    """Answers with this, and reads claims by what stands there."""

    def answer(_messages: Messages) -> str:
        return text

    return knowing((), answer)


def written(
    script: Script,
    extractor: Extractor,
    embedder: Bundled,
    *,
    is_answerable: bool = False,
    trusted: bool = True,
    shown: list[str] | None = None,
) -> GeneratedAnswer:
    with running(build(script, as_vllm=False)) as url:
        chat = ChatModel(Settings(llm_base_url=f"{url}/v1"), "any")
        writing = Writing(
            Generator(chat, extractor),
            Support(SupportCheck(embedder)),
            ModelReader(6000, lambda _model: trusted),
        )
        return writing.answer(
            QUESTION,
            [FOUND],
            is_answerable=is_answerable,
            deadline=time.time() + 100,
            timings=Timings(),
            on_text=(shown if shown is not None else []).append,
        )


def test_what_every_page_says_is_shown_although_the_gate_refuses(
    extractor: Extractor, embedder: Bundled
) -> None:
    found = written(saying(f"{HOTEL} [1]"), extractor, embedder)
    assert found.answer.text == f"{HOTEL} [1]"
    assert found.is_verified
    assert found.usage.calls == 2


def test_nothing_of_it_is_shown_before_it_is_read_again(
    extractor: Extractor, embedder: Bundled
) -> None:
    shown = list[str]()
    written(saying(f"{HOTEL} [1]"), extractor, embedder, shown=shown)
    assert "".join(shown) == ""
    written(saying(f"{HOTEL} [1]"), extractor, embedder, shown=shown, is_answerable=True)
    assert "".join(shown) == HOTEL


def test_what_no_page_says_stays_refused(extractor: Extractor, embedder: Bundled) -> None:
    found = written(saying(f"{HOTEL} {INVENTED} [1]"), extractor, embedder)
    assert Note.NOT_FOUND in found.answer.notes
    assert (found.answer.model, found.answer.unsupported) == ("", ())
    assert found.usage.calls == 2


def test_what_a_model_says_that_is_not_believed_stays_refused(
    extractor: Extractor, embedder: Bundled
) -> None:
    def answer(messages: Messages) -> str:
        is_claims = last_user_text(messages).startswith("Task: read claims")
        return agreeing(messages) if is_claims else f"{HOTEL} [1]"

    assert Note.NOT_FOUND in written(answer, extractor, embedder).answer.notes


def test_a_model_that_is_not_trusted_is_not_asked(extractor: Extractor, embedder: Bundled) -> None:
    found = written(saying(f"{HOTEL} [1]"), extractor, embedder, trusted=False)
    assert Note.NOT_FOUND in found.answer.notes
    assert found.usage.calls == 0


def test_a_model_that_is_not_trusted_does_not_read_its_answers(
    extractor: Extractor, embedder: Bundled
) -> None:
    found = written(toy, extractor, embedder, trusted=False, is_answerable=True)
    assert found.usage.calls == 1
    assert not found.is_verified


def test_an_answer_with_an_error_is_shown_with_it_where_the_gate_let_it_through(
    extractor: Extractor, embedder: Bundled
) -> None:
    found = written(saying(f"{HOTEL} {INVENTED} [1]"), extractor, embedder, is_answerable=True)
    assert found.answer.unsupported == (INVENTED,)
    assert not found.is_verified


def test_where_the_model_abstains_the_question_is_refused(
    extractor: Extractor, embedder: Bundled
) -> None:
    found = written(saying("The pages I can read do not answer this."), extractor, embedder)
    assert Note.NOT_FOUND in found.answer.notes
    assert found.usage.calls == 1


@pytest.mark.parametrize("said", [HOTEL, "Yes.", "```\nreboot\n```"])
@pytest.mark.parametrize("trusted", [True, False])
def test_what_cites_nothing_is_not_shown_and_the_pages_are_quoted(
    extractor: Extractor, embedder: Bundled, said: str, *, trusted: bool
) -> None:
    found = written(saying(said), extractor, embedder, is_answerable=True, trusted=trusted)
    assert found.answer.text == f"Travel [1]\n{HOTEL}"
    assert found.answer.notes == (Note.UNCITED,)
    assert not found.is_verified
    assert found.usage.calls == 1
