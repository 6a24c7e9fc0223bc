"""The exam that is shipped is the one that the sets make; models are measured by the sets, too."""

from __future__ import annotations

from collections import Counter

from reading_models import knowing
from wiki import hit, page, piece

from core.embeddings.bundled import Bundled
from core.settings import Settings
from evaluation.support.case import RIGHT, Case
from evaluation.support.command import outcomes
from evaluation.support.examination import ITEMS, chosen
from evaluation.support.wiki_answers import APART, READ, wiki_answers
from sandbox.http.server import running
from sandbox.llm.scoring import build
from worker.generation.chat_model import ChatModel
from worker.generation.second_reader.exam import items
from worker.support.check import SupportCheck

SAID = "The branch asks the depot before it books a van."
TURNED = "The depot asks the branch before it books a van."
VANS = (hit(piece(SAID, "1"), page("1", "Vans")),)


def test_the_shipped_exam_is_made_by_the_command() -> None:
    assert tuple(chosen()) == items()


def test_it_has_many_kinds_of_errors_and_none_of_the_answers_that_measure() -> None:
    kinds = Counter(item.kind for item in items())
    assert len(kinds) >= 12
    assert max(kinds.values()) <= ITEMS / 10
    apart = {each.right for name in (*APART, *READ) for each in wiki_answers(name)}
    assert apart.isdisjoint(item.right for item in items())


def test_a_model_reads_the_answers_of_a_set_again(embedder: Bundled) -> None:
    given = [
        Case("vans", "en", RIGHT, SAID, VANS, "Who asks?"),
        Case("vans", "en", "swapped roles", TURNED, VANS, "Who asks?"),
    ]
    check = SupportCheck(embedder)
    alone = [bool(each.reasons) for each in outcomes(check, given, None)]
    with running(build(knowing(()), as_vllm=False)) as url:
        model = ChatModel(Settings(llm_base_url=f"{url}/v1"), "any")
        both = [bool(each.reasons) for each in outcomes(check, given, model)]
    assert (alone, both) == ([False, False], [False, True])
