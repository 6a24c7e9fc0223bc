"""Golden questions of a running installation: proposed, asked, broken by a page, mended by it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from sqlmodel import select

from bot.views.answer_blocks import FEEDBACK_ACTION
from core.pairs import pairs
from core.states import PairOrigin, PairState, Vote
from core.storage.tables import TurnRow
from groundwire.golden.last_time import place
from groundwire.pairs.exporting import InstructionExample
from sandbox.slack.client import Message
from scenarios.conftest import Running, run
from worker.generation.abstention import NOT_FOUND

QUESTION = "How many bicycles does the cellar have room for?"
TITLE = "Bicycles in the cellar"


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    yield from run(tmp_path_factory.mktemp("golden"), model=False)


def golden(running: Running, *typed: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "groundwire", "golden", *map(str, typed)],
        env=running.stack.environment,
        capture_output=True,
        text=True,
        check=False,
    )


def written(folder: Path, page: str) -> Path:
    file = folder / "golden.yaml"
    file.write_text(
        yaml.safe_dump([{"question": QUESTION, "pages": [page], "says": ["31 bicycles"]}]),
        encoding="utf-8",
    )
    return file


def like(running: Running, asked: Message) -> None:
    answer = running.reply(asked)
    with running.database.reading() as session:
        turn_id = session.exec(select(TurnRow.id).where(TurnRow.ts == asked.ts)).one()
    running.workspace.click("Alice", answer, FEEDBACK_ACTION, f"{Vote.UP}:{turn_id}")


def test_what_a_page_broke_is_said_until_it_is_mended(wiki: Running, tmp_path: Path) -> None:
    room = "<p>The cellar has room for {} bicycles.</p>"
    page = wiki.site.create("HR", TITLE, room.format(31))
    wiki.sync()
    file = written(tmp_path, page["id"])
    first = golden(wiki, "ask", file)
    assert (first.returncode, first.stderr) == (0, ""), first.stderr
    assert f"✓ {QUESTION}\n1 of 1 right" in first.stdout

    wiki.site.edit(page["id"], room.format(12))
    wiki.sync()
    for _ in range(2):
        broken = golden(wiki, "ask", file)
        assert broken.returncode == 1
        assert f"✗ {QUESTION}  (says otherwise: 31 bicycles)" in broken.stdout
        assert f"“{TITLE}” was changed on" in broken.stdout
        assert "(version 1 to 2)" in broken.stdout
        assert "0 of 1 right, 1 broke, 0 mended" in broken.stdout

    wiki.site.edit(page["id"], room.format(31))
    wiki.sync()
    mended = golden(wiki, "ask", file, "--json")
    assert mended.returncode == 0
    (line,) = map(json.loads, mended.stdout.splitlines())
    assert (line["verdict"], line["broke"], line["causes"]) == ("right", False, [])

    wiki.site.trash(page["id"])
    wiki.sync()
    gone = golden(wiki, "ask", file)
    assert gone.returncode == 1
    assert f"page {page['id']} is gone, or not everybody may read it any more" in gone.stdout
    assert "cellar has room" not in place(file).read_text(encoding="utf-8")


def test_they_are_asked_again_after_a_sync_that_changed_something(
    wiki: Running, tmp_path: Path
) -> None:
    page = wiki.site.create("HR", "Shed", "<p>The cellar has room for 31 bicycles.</p>")
    wiki.sync()
    file = written(tmp_path, page["id"])
    command = [sys.executable, "-m", "groundwire", "golden", "watch", str(file)]
    with subprocess.Popen(
        command, env=wiki.stack.environment, stdout=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stdout
        figures = (line for line in watching.stdout if " right, " in line)
        assert next(figures).startswith("1 of 1 right")
        wiki.sync()  # nothing has changed
        wiki.site.edit(page["id"], "<p>The cellar has room for 12 bicycles.</p>")
        wiki.sync()
        assert next(figures).startswith("0 of 1 right, 1 broke")
        watching.terminate()


def test_liked_answers_are_proposed_before_pages_and_all_are_right(
    wiki: Running, tmp_path: Path
) -> None:
    asked = wiki.ask("How much may a hotel in Porto cost per night?")
    like(wiki, asked)
    like(wiki, wiki.ask("And in Aarhus?", after=asked))  # says nothing without the one before
    private = wiki.workspace.direct("Alice", "How many days of leave do people in Porto have?")
    like(wiki, private)
    file = tmp_path / "golden.yaml"
    proposed = golden(wiki, "propose", file, "--count", "8")
    assert proposed.returncode == 0, proposed.stderr
    found = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert [each["question"] for each in found if each["origin"] == "vote"] == [
        "How much may a hotel in Porto cost per night?"
    ]
    assert found[0]["origin"] == "vote"
    assert len(found) == 8
    assert all(each["pages"] for each in found)
    assert "8 of 8 right" in golden(wiki, "ask", file).stdout
    assert file.stat().st_mode & 0o077 == place(file).stat().st_mode & 0o077 == 0
    again = golden(wiki, "propose", file)
    assert (again.returncode, "name another file" in again.stderr) == (2, True)
    assert yaml.safe_load(file.read_text(encoding="utf-8")) == found


def test_autopilot_asks_about_the_pages_that_are_there_and_where_none_answers(
    wiki: Running, tmp_path: Path
) -> None:
    wiki.sync()
    page = tmp_path / "ready.md"
    command = [sys.executable, "-m", "groundwire", "autopilot", "--count", "20", "--json"]
    command += ["--unanswerable", "6", "--out", str(page)]
    done = subprocess.run(
        command, env=wiki.stack.environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert (found["answerable"], found["unanswerable"], len(found["tried"])) == (20, 6, 26)
    assert found["right"] >= 15
    assert done.returncode == (0 if found["verdict"] == "ready" else 1)
    text = page.read_text(encoding="utf-8")
    assert "of 20 questions made from your pages" in text
    assert not any(each["page"] in each["question"] for each in found["tried"])


def groundwire_pairs(running: Running, *typed: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "groundwire", "pairs", *map(str, typed)]
    return subprocess.run(
        command, env=running.stack.environment, capture_output=True, text=True, check=False
    )


def test_pairs_are_proposed_accepted_and_exported_split_by_page(
    wiki: Running, tmp_path: Path
) -> None:
    wiki.sync()
    question = "How many days of parental leave are there with full pay?"
    like(wiki, wiki.ask(question))
    private = wiki.workspace.direct("Alice", "What is the per diem in Aarhus?")
    like(wiki, private)
    proposed = groundwire_pairs(wiki, "propose", "--count", "60")
    assert proposed.returncode == 0, proposed.stderr
    found = pairs.of_state(wiki.database, PairState.PROPOSED)
    liked = [each for each in found if each.origin is PairOrigin.VOTE]
    assert question in {each.question for each in liked}
    assert private.text not in {each.question for each in found}
    assert len(found) - len(liked) >= 40
    for each in found:
        pairs.decide(wiki.database, each.id, PairState.ACCEPTED)

    file = tmp_path / "pairs.jsonl"
    exported = groundwire_pairs(wiki, "export", file)
    assert exported.returncode == 0, exported.stderr
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {each["kind"] for each in lines} == {"answer", "not_found"}
    assert file.stat().st_mode & 0o077 == 0
    split_by_page = {(each["page"], each["split"]) for each in lines}
    assert len({page for page, _ in split_by_page}) == len(split_by_page)
    for each in lines:
        roles = [message["role"] for message in each["messages"]]
        asked, says = each["messages"][1]["content"], each["messages"][2]["content"]
        assert roles == ["system", "user", "assistant"]
        if each["kind"] == "not_found":
            assert says == NOT_FOUND
            continue
        number = re.fullmatch(r".*\[(\d+)\]", says, re.DOTALL)
        assert number and f"[{number[1]}]" in asked
    again = groundwire_pairs(wiki, "export", file)
    assert (again.returncode, "name another file" in again.stderr) == (2, True)


def test_every_field_of_the_export_of_pairs_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")
    section = page[page.index("## Question and answer pairs") :].split("\n## ")[0]
    documented = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert documented == list(InstructionExample.model_fields)
