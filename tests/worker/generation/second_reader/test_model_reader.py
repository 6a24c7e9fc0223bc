"""The model reads its own claims again: believed where it judges the controls rightly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from wiki import hit, page, piece

from core.embeddings.bundled import Bundled
from core.models import Answer, Note
from core.question import Completed
from core.usage import Usage
from sandbox.llm.client import ScriptedModel
from worker.extractive.extractor import Extractor
from worker.generation.chat_model import ChatModel
from worker.generation.generator import GeneratedAnswer, Generator
from worker.generation.second_reader.controls import controlled
from worker.generation.second_reader.model_reader import MOST_FAILURES, ModelReader
from worker.generation.supported import supported
from worker.support.check import SupportCheck
from worker.support.claims import Claim
from worker.support.decision import Support
from worker.support.reading.again import SecondReading, to_read
from worker.support.statements import statements_of
from worker.text.citations import cite

TEXT = (
    "The branch asks the depot before it books a van. A van costs 45 EUR a day. "
    "It is off by default."
)
VANS = hit(piece(TEXT, "1"), page("1", "Vans"))
RIGHT = "The branch asks the depot first."
TURNED = "The depot asks the branch before it books a van."
QUESTION = Completed(question="Who asks whom?", text="Who asks whom?")
# As an answer of a model is, whatever a test makes of it.
DRAFT = GeneratedAnswer(
    Answer(text="", model="sandbox-toy"), usage=Usage(calls=1), hits=(VANS,), prompt="asked"
)


def told(
    claims: Sequence[str],
    said: Mapping[str, bool],
    *,
    answers: bool = True,
    are_cited: bool = False,
) -> str:
    """A reply that judges the controls rightly."""
    cited = [(each, (1,) if are_cited else ()) for each in claims]
    asked = controlled(cited, statements_of([VANS]), [VANS.page.title])
    assert asked is not None
    lines = []
    for place, (text, _) in enumerate(asked.texts):
        is_said = said[text] if place in asked.own else place == asked.said
        lines.append(f"{place + 1}: so it stands there | {'yes' if is_said else 'no'}")
    return "\n".join([*lines, f"0: who asks whom | {'yes' if answers else 'no'}"])


def read(
    chat: ChatModel, claims: Sequence[str], reader: ModelReader | None = None
) -> SecondReading:
    made = tuple(Claim(each, frozenset()) for each in claims)
    asked = to_read(" ".join(claims), made, [VANS], {})
    return (reader or ModelReader(6000)).read(chat, "Who asks whom?", asked, ())


def test_what_it_says_of_each_claim_counts(model: ScriptedModel, chat: ChatModel) -> None:
    model.say(told([RIGHT, TURNED], {RIGHT: True, TURNED: False}))
    reading = read(chat, [RIGHT, TURNED])
    assert reading.said == (True, False)
    assert reading.usage.calls == 1


def test_it_sees_the_question_the_pages_and_the_claims(
    model: ScriptedModel, chat: ChatModel
) -> None:
    read(chat, [RIGHT])
    (request,) = model.received()
    prompt = json.dumps(request["body"])
    for part in ("Who asks whom?", "A van costs 45 EUR a day", RIGHT):
        assert part in prompt


def test_who_says_yes_to_all_is_not_believed(model: ScriptedModel, chat: ChatModel) -> None:
    model.say("1: yes\n2: yes\n3: yes\n0: yes")
    reading = read(chat, [TURNED])
    assert reading.said is None
    assert reading.usage.calls == 1


@pytest.mark.parametrize("reply", ["A van costs 45 EUR a day [1].", "1: yes", "Sure!"])
def test_what_is_no_verdict_counts_for_nothing(
    model: ScriptedModel, chat: ChatModel, reply: str
) -> None:
    model.say(reply)
    assert read(chat, [TURNED]).said is None


def test_an_endpoint_that_is_down_costs_nothing_but_the_reading(chat_down: ChatModel) -> None:
    assert read(chat_down, [TURNED]) == SecondReading()


def test_a_model_that_fails_again_and_again_is_not_asked_any_more(
    model: ScriptedModel, chat: ChatModel
) -> None:
    reader = ModelReader(6000)
    model.say(*["Sure!"] * (MOST_FAILURES + 2))
    for _ in range(MOST_FAILURES + 2):
        read(chat, [TURNED], reader)
    assert len(model.received()) == MOST_FAILURES


def test_failures_count_where_they_follow_one_another(
    model: ScriptedModel, chat: ChatModel
) -> None:
    reader = ModelReader(6000)
    replies = ["Sure!"] * (MOST_FAILURES - 1) + [told([RIGHT], {RIGHT: True}), "Sure!"]
    model.say(*replies)
    for _ in range(len(replies) + 1):
        read(chat, [RIGHT], reader)
    assert len(model.received()) == len(replies) + 1


def test_without_claims_or_pages_nothing_is_asked(model: ScriptedModel, chat: ChatModel) -> None:
    assert read(chat, []) == SecondReading()
    nowhere = to_read(RIGHT, [Claim(RIGHT, frozenset())], [], {})
    assert ModelReader(6000).read(chat, "Who?", nowhere, ()) == SecondReading()
    assert model.received() == []


def judged(
    text: str,
    chat: ChatModel,
    extractor: Extractor,
    embedder: Bundled,
    *,
    twice: bool,
    notes: tuple[Note, ...] = (),
) -> GeneratedAnswer:
    """What becomes of this answer of a model."""
    cited, sources = cite(text, [VANS])
    answer = DRAFT.answer.model_copy(update={"text": cited, "sources": sources, "notes": notes})
    return supported(
        GeneratedAnswer(answer, DRAFT.prompt, DRAFT.usage, DRAFT.hits),
        QUESTION,
        [VANS],
        generator=Generator(chat, extractor),
        support=Support(SupportCheck(embedder)),
        reader=ModelReader(6000) if twice else None,
    )


def test_an_error_that_no_rule_sees_is_named(
    model: ScriptedModel, chat: ChatModel, extractor: Extractor, embedder: Bundled
) -> None:
    cost = "A van costs 45 EUR a day."
    text = f"A van costs 45 EUR a day. {TURNED} [1]"
    alone = judged(text, chat, extractor, embedder, twice=False)
    assert alone.answer.unsupported == ()
    model.say(told([cost, TURNED], {cost: True, TURNED: False}, are_cited=True))
    both = judged(text, chat, extractor, embedder, twice=True)
    assert both.answer.text == text
    assert both.answer.unsupported == (TURNED,)
    assert both.answer.notes == (Note.UNSUPPORTED,)
    assert both.usage.calls == alone.usage.calls + 1


def test_a_right_sentence_that_rules_flag_is_cleared(
    model: ScriptedModel, chat: ChatModel, extractor: Extractor, embedder: Bundled
) -> None:
    week = "A whole week of seven days comes to 315 EUR."
    text = f"{week} [1]"
    alone = judged(text, chat, extractor, embedder, twice=False)
    assert alone.answer.unsupported == (week,)
    model.say(told([week], {week: True}, are_cited=True))
    both = judged(text, chat, extractor, embedder, twice=True)
    assert (both.answer.text, both.answer.unsupported, both.answer.notes) == (text, (), ())


def test_where_it_cannot_be_believed_rules_decide(
    model: ScriptedModel, chat: ChatModel, extractor: Extractor, embedder: Bundled
) -> None:
    wrong = "A van costs 99 EUR a day."
    model.say("1: yes\n2: yes\n3: yes\n0: yes")
    found = judged(f"{wrong} [1]", chat, extractor, embedder, twice=True)
    assert found.answer.unsupported == (wrong,)
    assert Note.UNSUPPORTED in found.answer.notes


@pytest.mark.parametrize(
    ("notes", "answers", "expected"),
    [((), True, True), ((Note.INCOMPLETE,), True, False), ((), False, False)],
)
def test_an_answer_is_verified_where_it_is_whole_and_answers(
    model: ScriptedModel,
    chat: ChatModel,
    extractor: Extractor,
    embedder: Bundled,
    notes: tuple[Note, ...],
    answers: bool,
    expected: bool,
) -> None:
    model.say(told([RIGHT], {RIGHT: True}, answers=answers, are_cited=True))
    found = judged(f"{RIGHT} [1]", chat, extractor, embedder, twice=True, notes=notes)
    assert found.is_verified is expected


def test_nothing_is_verified_by_rules_alone(
    chat: ChatModel, extractor: Extractor, embedder: Bundled
) -> None:
    assert not judged(RIGHT, chat, extractor, embedder, twice=False).is_verified


def test_what_cites_nothing_is_not_verified(
    model: ScriptedModel, chat: ChatModel, extractor: Extractor, embedder: Bundled
) -> None:
    model.say(told([RIGHT], {RIGHT: True}))
    found = judged(RIGHT, chat, extractor, embedder, twice=True)
    assert found.answer.unsupported == ()
    assert not found.is_verified


def test_an_answer_that_says_that_something_is_not_known_is_not_verified(
    model: ScriptedModel, chat: ChatModel, extractor: Extractor, embedder: Bundled
) -> None:
    ours = "The pages I can read do not answer this."
    model.say(told([RIGHT], {RIGHT: True}, are_cited=True))
    found = judged(f"{RIGHT} [1] {ours}", chat, extractor, embedder, twice=True)
    assert found.answer.text.endswith(ours)
    assert not found.is_verified


def test_the_reader_sees_the_whole_answer_and_which_piece_each_claim_cites(
    model: ScriptedModel, chat: ChatModel, extractor: Extractor, embedder: Bundled
) -> None:
    judged(f"Yes, {RIGHT} [1]\n\n```sh\nrm -r /\n```", chat, extractor, embedder, twice=True)
    prompt = model.received()[-1]["body"]["messages"][-1]["content"]
    assert f": {RIGHT} [1]\n" in prompt
    answer = prompt.partition("<<<ANSWER")[2].partition("ANSWER>>>")[0]
    assert "Yes, " in answer
    assert "rm -r /" in answer


def test_failures_of_several_threads_count_together(model: ScriptedModel, chat: ChatModel) -> None:
    reader = ModelReader(6000)
    model.say(*["Sure!"] * 40)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: read(chat, [TURNED], reader), range(40)))
    assert not reader.trusts(chat)
    assert len(model.received()) < 40


def test_a_long_answer_takes_no_room_from_what_it_cites(
    model: ScriptedModel, chat: ChatModel
) -> None:
    long = " ".join(
        f"Lane {number} of the sorter is cleaned on day {number}." for number in range(60)
    )
    claim = Claim("Every lane is cleaned, each of them on its own day. " * 60, frozenset())
    asked = to_read(claim.text, [claim], [hit(piece(long, "1"), page("1", "Lanes"))], {})
    ModelReader(1500).read(chat, "Which lane?", asked, ())
    prompt = model.received()[-1]["body"]["messages"][-1]["content"]
    assert "cleaned on day 59." in prompt
    assert "(cut)" not in prompt
