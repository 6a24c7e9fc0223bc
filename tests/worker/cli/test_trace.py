"""The trace of a saved turn: every step with its module, from SQL alone, readable in a terminal."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result
from wiki import hit, page, piece, put, searching

from core.attribution import AnswerVerdict, Effect, Explanation, Role, Spread
from core.evidence import EvidenceStore
from core.evidence.blocks import Blocks
from core.models import Answer, Confidence, Copy, Kind, Note, Record, Source
from core.question import Completed, Condition, Field
from core.settings import settings
from core.states import NoAnswer, PostKind, Vote, VoteBy
from core.storage.database import Database
from core.storage.tables import TurnRow
from core.turns import erasure, explanations, feedback, post_store, turn_store
from core.turns.sources import source_reports
from core.turns.trace import saved as trace
from core.turns.trace.answer import answer_steps
from core.turns.turn import Address, NewQuestion, Turn
from core.usage import Usage
from evaluation.harness.as_indexed import AsIndexed
from sandbox.programs.environment import child_environment
from worker.__main__ import app
from worker.cli import trace_view
from worker.extractive.extractor import Extractor
from worker.filters import Filters, Vocabularies
from worker.generation.chat_model import ChatModel
from worker.generation.generator import Generator
from worker.pipeline import Pipeline
from worker.question.rewrite import Completer
from worker.retrieval.expand import EvidenceExpander
from worker.retrieval.live_access import LiveAccess
from worker.retrieval.retriever import Retriever
from worker.suggestions.suggester import Suggester

ROOT = Path(__file__).parents[3]
QUESTION = "And in Porto?"
TEXT = "What does a hotel in Porto cost?"
HOTEL = "A hotel in Porto costs 110 EUR."
SECONDS = {
    "complete": 0.5,
    "filter": 0.01,
    "retrieve": 0.2,
    "confirm": 0.05,
    "widen": 0.02,
    "judge": 0.03,
    "generate": 1.5,
    "support": 0.04,
    "suggest": 0.3,
}
HEAVY = ("numpy", "sklearn", "chromadb", "openai", "atlassian", "torch", "matplotlib")


def found() -> Any:
    evidence = piece(HOTEL, "2", kind=Kind.ROW, heading_path=("Travel", "Hotels"))
    elsewhere = Copy(evidence=piece(HOTEL, "3"), page=page("3", "Travel (draft)"))
    scores = {"score": 3.25, "lexical": 7.5, "in_page": 2.125, "dense": 0.875}
    return hit(evidence, page("2", "Travel"), copies=(elsewhere,), **scores)


def record(model: str = "small", **more: Any) -> Record:
    best = found()
    source = Source(
        number=1,
        title="Travel",
        heading="Hotels",
        url="https://wiki.example/2",
        evidence_ids=(best.evidence.id,),
        confidence=Confidence.MEDIUM,
    )
    answer = Answer(
        text="110 EUR [1].",
        model=model,
        sources=(source,),
        notes=(Note.WORDS_ONLY,),
        confidence=Confidence.MEDIUM,
        suggestions=("What does a hotel in Lisbon cost?",),
    )
    only = Condition(field=Field.SPACE, value="HR", said="in HR")
    values = {
        "completed": Completed(question=QUESTION, text=TEXT, by=model, conditions=(only,)),
        "hits": (best, hit("Nothing of the kind.", page("4", "Leave"))),
        "answer": answer,
        "prompt": "<<<EVIDENCE a hotel EVIDENCE>>>" if model else "",
        "usage": Usage(calls=3, prompt_tokens=1200, completion_tokens=40, seconds=1.75),
        "seconds": SECONDS,
        "settings": {"embedder": "bundled", "llm_context_tokens": "6000"},
    }
    return Record(**(values | more))


def asked(database: Database, ts: str = "1.5") -> Turn:
    where = Address("T1", "C1", ts, "1.0")
    turn = turn_store.ask(database, NewQuestion(where, user="U0ALICE", text=QUESTION))
    assert turn is not None
    return turn


def answered(database: Database, saved: Record | None = None) -> Turn:
    turn = asked(database)
    turn_store.start(database, turn.id)
    turn_store.answer(database, turn.id, saved or record())
    return loaded(database, turn).turn


def loaded(database: Database, turn: Turn) -> trace.SavedTurn:
    saved = trace.load(database, turn.id)
    assert saved is not None
    return saved


def with_all_that_hangs_on_it(database: Database, saved: Record | None = None) -> Turn:
    """An answered turn that was posted, explained, voted on and reported."""
    turn = answered(database, saved)
    shown = post_store.ensure(database, turn, PostKind.ANSWER)
    post_store.save_place(database, shown.id, "1.6")
    post_store.ensure(database, turn, PostKind.EXPLANATION)
    explanations.request(database, turn.id, "U0BEN")
    effect = Effect(
        evidence_ids=("2-a",),
        source_numbers=(1,),
        label="Travel › Hotels",
        away=Spread(mean=0.5, low=0.25, high=0.75, repeats=6),
        share=1.0,
        role=Role.NEEDED,
    )
    why = Explanation(turn_id=turn.id, effects=(effect,), verdict=AnswerVerdict.CAUSED, seconds=9.0)
    explanations.save(database, why)
    feedback.record(database, turn.id, "U0CEM", Vote.DOWN, by=VoteBy.BUTTON, reason="outdated")
    source_reports.record(database, turn, "U0DAN", {1}, "that is a draft")
    return turn


def steps(database: Database, turn: Turn, **how: Any) -> dict[str, dict[str, Any]]:
    value = trace.as_json(loaded(database, turn), turn.asked_at, **how)
    return {step["name"]: step for step in value["steps"]}


def printed(database: Database, turn: Turn, **how: Any) -> str:
    saved = loaded(database, turn)
    out = io.StringIO()
    console = Console(file=out, width=100)
    summary = trace.summary(saved.turn, turn.asked_at)
    trace_view.show(console, summary, trace.steps(saved, **how))
    return out.getvalue()


@pytest.fixture
def command(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`python -m worker trace` on the test's database."""
    monkeypatch.setenv("DATABASE_URL", database.url)
    settings.cache_clear()

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["trace", *arguments])

    yield run
    settings.cache_clear()


def test_the_steps_come_in_the_order_in_which_a_turn_goes_them(database: Database) -> None:
    names = list(steps(database, with_all_that_hangs_on_it(database)))
    assert names == [
        *("ask", "job", "complete", "classify", "filter", "retrieve", "confirm", "widen"),
        *("judge", "prompt", "generate", "support", "cite", "confidence", "suggest", "cost"),
        *("deliver", "explain", "vote", "report"),
    ]


def test_every_step_names_a_module_that_is_there(database: Database) -> None:
    told = steps(database, with_all_that_hangs_on_it(database))
    modules = [step["module"] for step in told.values()]
    assert [path for path in modules if not (ROOT / path).is_file()] == []


def test_the_architecture_is_told_in_the_steps_of_a_trace(database: Database) -> None:
    place = hit(piece("Vision belongs to Engineering.", "5", kind=Kind.PLACE))
    turn = with_all_that_hangs_on_it(database, record(hits=(found(), place)))
    told = [(step["name"], step["module"]) for step in steps(database, turn).values()]
    text = (ROOT / "docs/architecture.md").read_text()
    assert re.findall(r"^\| ([a-z]+) \| `([\w/]+\.py)` \|", text, re.MULTILINE) == told


def test_each_timed_step_has_its_seconds_and_the_cost_their_sum(database: Database) -> None:
    told = steps(database, answered(database))
    assert {name: told[name]["seconds"] for name in SECONDS} == SECONDS
    assert told["cost"]["seconds"] == pytest.approx(sum(SECONDS.values()))
    assert told["cost"]["outputs"]["seconds"] == SECONDS
    assert told["classify"]["seconds"] is None


def test_who_asked_where_and_what_it_was_understood_as(database: Database) -> None:
    told = steps(database, answered(database))
    who = told["ask"]["inputs"]
    assert (who["user"], who["channel"], who["ts"], who["by_button"]) == (
        *("U0ALICE", "C1", "1.5"),
        False,
    )
    assert told["job"]["outputs"]["attempts"] == 1
    completed = told["complete"]["outputs"]
    assert (completed["text"], completed["by"]) == (TEXT, "small")
    assert told["classify"]["outputs"] == {"kind": "factoid"}
    assert told["filter"]["outputs"]["conditions"] == [
        {"field": "space", "value": "HR", "said": "in HR"}
    ]


def test_a_question_that_nothing_completed_names_nobody(database: Database) -> None:
    alone = record(completed=Completed(question=QUESTION, text=QUESTION))
    assert steps(database, answered(database, alone))["complete"]["outputs"]["by"] == ""


def test_a_question_completed_without_a_model_was_completed_by_rules(database: Database) -> None:
    by_rules = Completed(question=QUESTION, text=f"{QUESTION} (Travel)", context=("Travel",))
    outputs = steps(database, answered(database, record(completed=by_rules)))["complete"]["outputs"]
    assert (outputs["by"], outputs["added"]) == ("rules", ["Travel"])


def test_the_evidence_has_its_rank_its_scores_its_copies_and_the_sources_that_cite_it(
    database: Database,
) -> None:
    retrieved = steps(database, answered(database))["retrieve"]["outputs"]
    first, second = retrieved["evidence"]
    expected = {
        "rank": 1,
        "where": "Travel › Hotels",
        "kind": "row",
        "lexical": 7.5,
        "in_page": 2.125,
        "dense": 0.875,
        "fused": 3.25,
        "copies": ["Travel (draft)"],
        "sources": [1],
        "text": HOTEL,
    }
    assert {name: first[name] for name in expected} == expected
    assert (second["rank"], second["sources"]) == (2, [])
    assert retrieved["words_only"]


def test_the_prompt_is_told_by_its_length_and_shown_when_asked_for(database: Database) -> None:
    turn, prompt = answered(database), record().prompt
    assert steps(database, turn)["prompt"]["outputs"]["characters"] == len(prompt)
    assert prompt not in json.dumps(steps(database, turn)) + printed(database, turn)
    assert steps(database, turn, with_prompt=True)["prompt"]["outputs"]["prompt"] == prompt
    assert prompt in printed(database, turn, with_prompt=True)


def test_a_quoted_answer_has_no_prompt_and_comes_from_the_extractor(database: Database) -> None:
    told = steps(database, answered(database, record(model="")))
    assert "prompt" not in told
    assert told["generate"]["module"] == "worker/extractive/extractor.py"
    assert told["generate"]["outputs"]["by"] == "quoted"


def test_a_step_that_was_not_gone_is_not_told(database: Database) -> None:
    seconds = {"complete": 0.1, "retrieve": 0.1, "generate": 0.1}
    saved = record(seconds=seconds)
    bare = saved.answer.model_copy(update={"suggestions": ()})
    told = steps(database, answered(database, saved.model_copy(update={"answer": bare})))
    assert {"widen", "suggest", "explain", "vote", "report"}.isdisjoint(told)


def test_what_an_organization_says_of_an_entity_is_a_step_of_its_own(database: Database) -> None:
    place = hit(piece("Vision belongs to Engineering.", "5", kind=Kind.PLACE))
    told = steps(database, answered(database, record(hits=(place, found()))))
    assert told["entities"]["outputs"] == {"places": ["Vision belongs to Engineering."]}


def test_a_step_that_the_pipeline_times_is_a_step_of_the_trace(
    store: EvidenceStore, extractor: Extractor, chat: ChatModel
) -> None:
    put(store, page("2", "Travel"), piece(HOTEL, "2"))
    evidence = searching(store)
    every = Pipeline(
        Completer(chat),
        Retriever(evidence),
        LiveAccess(AsIndexed()),
        Generator(chat, extractor),
        filters=Filters(Vocabularies(store.database).of),
        suggester=Suggester(evidence),
        widener=EvidenceExpander(Blocks(store.database)),
    )
    made = every.answer(TEXT, [], deadline=time.time() + 60)
    told = [step.name for step in answer_steps(made) if step.seconds is not None]
    assert [name for name in told if name != "cost"] == list(made.seconds)


def test_the_same_id_in_two_sources_is_two_pages(database: Database) -> None:
    here = found()
    there = here.page.model_copy(update={"source": "files"})
    both = record(hits=(here, here.model_copy(update={"page": there})))
    assert steps(database, answered(database, both))["confidence"]["inputs"] == {"pages": 2}


def test_posts_say_whether_they_stand(database: Database) -> None:
    posts = steps(database, with_all_that_hangs_on_it(database))["deliver"]["outputs"]["posts"]
    assert {post["kind"]: (post["stands"], post["ts"]) for post in posts} == {
        "answer": (True, "1.6"),
        "explanation": (False, ""),
    }


def test_the_explanation_votes_and_reports_are_told(database: Database) -> None:
    told = steps(database, with_all_that_hangs_on_it(database))
    why = told["explain"]["outputs"]
    assert (why["state"], why["method"], why["verdict"]) == ("done", "ours", "caused")
    (effect,) = why["effects"]
    assert (effect["without"], effect["role"]) == ("Travel › Hotels", "needed")
    (vote,) = told["vote"]["outputs"]["votes"]
    assert (vote["user"], vote["vote"], vote["reason"]) == ("U0CEM", "down", "outdated")
    assert [each["vote"] for each in told["vote"]["outputs"]["history"]] == ["down"]
    (report,) = told["report"]["outputs"]["reports"]
    assert (report["sources"], report["text"]) == ([1], "that is a draft")


def test_a_vote_that_was_taken_back_is_told_as_what_happened(database: Database) -> None:
    turn = with_all_that_hangs_on_it(database)
    feedback.withdraw(database, turn.id, "U0CEM", Vote.DOWN, by=VoteBy.REACTION)
    outputs = steps(database, turn)["vote"]["outputs"]
    told = [(each["vote"], each["by"]) for each in outputs["history"]]
    assert (outputs["votes"], told) == ([], [("down", "button"), ("taken back", "reaction")])


def test_in_a_terminal_every_step_fits_into_a_hundred_columns(database: Database) -> None:
    text = printed(database, with_all_that_hangs_on_it(database))
    assert max(map(len, text.splitlines())) <= 100
    for told in ("worker/question/rewrite.py", "Travel › Hotels", "7.500", "caused", "outdated"):
        assert told in text


def test_a_long_title_is_cut_and_each_piece_of_evidence_stays_on_its_line(
    database: Database,
) -> None:
    best = found()
    titled = page("2", "How everybody in the company books a journey by train or plane " * 3)
    long = best.model_copy(update={"page": titled, "copies": best.copies * 12})
    text = printed(database, answered(database, record(hits=(long,) * 10)))
    rows = [line for line in text.splitlines() if "3.250" in line]
    assert [line.split()[0] for line in rows] == [str(rank) for rank in range(1, 11)]
    assert max(map(len, text.splitlines())) <= 100


def test_what_a_page_says_commands_no_terminal(database: Database) -> None:
    answer = record().answer.model_copy(update={"text": "red \x1b[31m, a bell \a and [bold]"})
    text = printed(database, answered(database, record(answer=answer)))
    assert "\x1b" not in text
    assert "\a" not in text
    assert "[bold]" in text


def test_a_turn_that_waits_says_for_what(database: Database) -> None:
    first, second = asked(database), asked(database, "1.7")
    waiting = trace.summary(loaded(database, first).turn, first.asked_at + 12)
    assert waiting == f"turn {first.id} has waited 12 s for its answer: no worker has taken it up"
    turn_store.start(database, first.id)
    assert "attempt 1" in trace.summary(loaded(database, first).turn, first.asked_at)
    queued = trace.summary(loaded(database, second).turn, second.asked_at)
    assert queued.endswith("an earlier question of its thread comes first")
    assert list(steps(database, first)) == ["ask", "job", "deliver"]


def test_a_failed_turn_says_why(database: Database) -> None:
    turn = asked(database)
    with database.session() as session:
        row = session.get_one(TurnRow, turn.id)
        row.state, row.reason, row.refused_until = "failed", "limit_day", 1795305600.0
    sentence = trace.summary(loaded(database, turn).turn, turn.asked_at)
    assert "ended without an answer" in sentence
    assert "`limit_day` until 2026-11-22T00:00:00+00:00" in sentence


@pytest.mark.parametrize("end", ["waiting", "failed", "done"])
def test_a_turn_that_is_there_is_told_with_code_0(
    database: Database, command: Any, end: str
) -> None:
    turn = asked(database)
    if end == "failed":
        turn_store.fail(database, turn.id, NoAnswer.LATE)
    if end == "done":
        turn_store.answer(database, turn.id, record())
    result = command(turn.id, "--json")
    assert (result.exit_code, json.loads(result.stdout)["state"]) == (0, end)
    assert command(turn.id).exit_code == 0


def test_an_unknown_turn_ends_with_one_line_and_code_1(command: Any) -> None:
    result = command("nowhere", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("groundwire: no turn nowhere")
    assert len(result.stderr.splitlines()) == 1


def test_of_a_forgotten_turn_nothing_is_told_but_that(database: Database, command: Any) -> None:
    turn = with_all_that_hangs_on_it(database)
    erasure.forget_turn(database, turn.id, "U0ALICE")
    result = command(turn.id)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "is forgotten" in result.stderr
    assert "have still to be deleted in Slack" in result.stderr


def test_what_a_forgotten_conversation_had_added_is_gone_from_the_trace(
    database: Database,
) -> None:
    completed = Completed(question=QUESTION, text=QUESTION, forgotten=True)
    told = steps(database, answered(database, record(completed=completed, prompt="")))
    assert told["complete"]["outputs"]["added_is_forgotten"]
    assert told["prompt"]["outputs"]["is_forgotten"]


def test_the_terminal_and_the_json_tell_the_same_steps(database: Database, command: Any) -> None:
    turn = with_all_that_hangs_on_it(database)
    value = json.loads(command(turn.id, "--json").stdout)
    text = command(turn.id).stdout
    assert [step["module"] for step in value["steps"] if step["module"] not in text] == []
    assert (value["turn"], value["state"]) == (turn.id, "done")


def test_a_trace_loads_no_model_no_embedder_and_no_vector_store(database: Database) -> None:
    turn = answered(database)
    program = (
        "import sys\n"
        "from worker.__main__ import app\n"
        f"app(['trace', '{turn.id}'], standalone_mode=False)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=child_environment(DATABASE_URL=database.url),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
