"""Both forms of a message are read, and a line that is none is refused with its reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.dialogue.message import Place
from evaluation.__main__ import app
from evaluation.answers.pose.naming_us import Addressed, addressed, is_bot
from evaluation.answers.pose.turns import Overheard, SaidToUs, read
from evaluation.harness.json_lines import BadLine

FIRST = {"id": "a", "thread": "t", "text": "How long is leave?"}
SECOND: dict[str, Any] = {
    "id": 7,
    "place": "thread",
    "context": [{"who": "ana", "text": "hi"}, {"who": "bot", "text": "Hello"}],
    "who": "ana",
    "text": "@helper and in Porto?",
    "bot": "helper",
}


def written(tmp_path: Path, *lines: object) -> Path:
    file = tmp_path / "turns.jsonl"
    file.write_bytes(b"\n".join(map(_line, lines)))
    return file


def _line(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def test_both_forms_are_read_in_order(tmp_path: Path) -> None:
    said, overheard = read(written(tmp_path, FIRST, SECOND))
    assert said == SaidToUs(id="a", thread="t", text="How long is leave?")
    assert isinstance(overheard, Overheard)
    assert (overheard.place, overheard.bot) == (Place.THREAD, "helper")
    assert [each.who for each in overheard.context] == ["ana", "bot"]


def test_an_id_comes_back_as_it_was(tmp_path: Path) -> None:
    ids = ["1", 1, 2.5, "ä"]
    found = read(written(tmp_path, *({**FIRST, "id": each} for each in ids)))
    assert [json.dumps(turn.id) for turn in found] == [json.dumps(each) for each in ids]


def test_what_others_keep_beside_a_message_does_not_matter(tmp_path: Path) -> None:
    text = 'one\u2028two "quoted"'
    line = json.dumps({**FIRST, "text": text, "gold": [1]}, ensure_ascii=False)
    (found,) = read(written(tmp_path, f"\ufeff{line}\r", "", "  "))
    assert found.text == text


@pytest.mark.parametrize("bot", ["helper", "U0BOT", True, False, None])
def test_the_bot_may_be_named_or_only_said_to_be_mentioned(
    tmp_path: Path, bot: bool | str | None
) -> None:
    (found,) = read(written(tmp_path, {**SECOND, "bot": bot}))
    assert isinstance(found, Overheard)
    assert found.bot is bot or found.bot == bot


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "no JSON object"),
        ("[1]", "no JSON object"),
        ('"text"', "no JSON object"),
        ("12", "no JSON object"),
        ('{"id": NaN, "text": "x"}', "NaN is no number"),
        ({"thread": "t", "text": "x"}, "id: Field required"),
        ('{"id": 1, "text": "x", "text": "y"}', '"text" stands in it twice'),
        (b'{"id": 1, "text": "\xff"}', "no UTF-8: invalid start byte at byte 20 of the line"),
        ({"id": None, "text": "x"}, "id: "),
        ({"id": True, "text": "x"}, "id: "),
        ({"id": 1, "thread": None}, "text: Field required"),
        ({"id": 1, "thread": 3, "text": "x"}, "thread: "),
        ({"id": 1, "text": ["x"]}, "text: "),
        ({**SECOND, "place": "street"}, "place: Input should be 'thread', 'dm' or 'channel'"),
        ({**SECOND, "bot": 3}, "bot: "),
        ({**SECOND, "context": [{"who": "ana"}]}, "context.0.text: Field required"),
        ({key: value for key, value in SECOND.items() if key != "who"}, "who: Field required"),
        ({**FIRST, "thread": "u"}, 'the id "a" stands in line 1 already'),
    ],
)
def test_a_line_that_is_no_message_is_named_with_its_reason(
    tmp_path: Path, line: object, why: str
) -> None:
    file = written(tmp_path, FIRST, "", line)
    with pytest.raises(BadLine) as raised:
        read(file)
    assert str(raised.value).startswith(f"{file}, line 3: {why}")


def test_a_malformed_line_ends_it_before_anything_is_asked(tmp_path: Path) -> None:
    file = written(tmp_path, FIRST, "{")
    folder = tmp_path / "index"
    arguments = ["--data", str(tmp_path), "--turns", str(file), "--folder", str(folder), "--json"]
    told = CliRunner().invoke(app, ["pose", *arguments])
    assert (told.exit_code, told.stdout) == (1, "")
    assert "line 2: no JSON object" in told.stderr
    assert not folder.exists()


@pytest.mark.parametrize(
    ("text", "bot", "without", "written"),
    [
        ("@helper where?", "helper", "where?", "@bot where?"),
        ("<@U0BOT|it>: where?", "U0BOT", "where?", "@bot: where?"),
        ("where, @Bot?", "helper", "where, ?", "where, @bot?"),
        ("@groundwire  where\nis it", None, "where\nis it", "@bot where\nis it"),
        ("@wiki where, @ana?", True, "where, @ana?", "@bot where, @ana?"),
        ("where?", True, "where?", "where?"),
    ],
)
def test_the_bots_name_is_taken_out_and_others_stay(
    text: str, bot: bool | str | None, without: str, written: str
) -> None:
    assert addressed(text, bot) == Addressed(without, True, written)


@pytest.mark.parametrize(
    ("text", "bot"),
    [
        ("@helpers where?", "helper"),
        ("@ana where?", False),
        ("ask <@U1> or bot@x.example", False),
        ("mail ana@example.com", False),
    ],
)
def test_who_has_another_name_is_not_the_bot(text: str, bot: bool | str | None) -> None:
    assert addressed(text, bot) == Addressed(text, False, text)


def test_the_bots_lines_are_known_by_its_name_too() -> None:
    assert is_bot("bot", None)
    assert is_bot("Helper", "helper")
    assert not is_bot("ana", "helper")
