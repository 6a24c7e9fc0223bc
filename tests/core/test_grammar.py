"""The files of `languages/`: complete, the same in each, and wrong ones are named."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from core import grammar
from core.errors import SettingsError
from core.grammar import Words
from core.language import FOLDER

FILES = sorted(FOLDER.glob("*.toml"))
# Tables whose keys are the language's own.
OWN_KEYS = {
    "parts",
    "months.names",
    "months.on_pages",
    "organization.units",
    "support.numbers",
    "support.parts_of_an_hour",
    "support.multiples",
    "support.units",
    "support.quantifiers",
    "support.affirming",
    "support.denying",
}


def keys(table: dict[str, Any], above: str = "") -> Iterator[str]:
    for key, value in table.items():
        if above + key in OWN_KEYS:
            continue
        yield above + key
        if isinstance(value, dict):
            yield from keys(value, f"{above}{key}.")


def fields(table: type[BaseModel], above: str = "") -> Iterator[str]:
    for key, field in table.model_fields.items():
        yield above + key
        of = field.annotation
        if isinstance(of, type) and issubclass(of, BaseModel):
            yield from fields(of, f"{above}{key}.")


def written(folder: Path, text: str) -> Path:
    file = folder / "nl.toml"
    file.write_text('name = "Dutch"\n' + text)
    return file


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_of_ours_has_every_table_and_key(file: Path) -> None:
    known = {key for key in fields(grammar.Grammar) if key not in OWN_KEYS}
    roles = {f"organization.roles.{role}" for role in ("lead", "member", "deputy")}
    assert set(keys(tomllib.loads(file.read_text()))) == known | roles


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_fragment_is_left_unused(file: Path) -> None:
    text = file.read_text()
    for name in tomllib.loads(text)["parts"]:
        assert f"{{{name}}}" in text


def test_the_words_of_all_languages_are_merged() -> None:
    asked = re.compile(str(grammar.merged().question.words), re.I)
    assert asked.fullmatch("who")
    assert asked.fullmatch("wer")
    assert grammar.merged().months.names[10] == ("oktober", "okt", "october", "oct")


def test_without_words_nothing_matches() -> None:
    assert re.search(str(Words()), "") is None


def test_a_text_is_words_and_a_list_is_patterns(tmp_path: Path) -> None:
    text = '[negation]\nwords = "niet geen"\nof_filters = ["niet meer"]'
    negation = grammar.read(written(tmp_path, text)).negation
    assert negation.words == ("niet", "geen")
    assert negation.of_filters == ("niet meer",)


def test_a_pattern_names_the_fragments_of_its_file(tmp_path: Path) -> None:
    text = "[parts]\nverb = '(?:is|zijn)'\n[question]\nverbs = ['{verb} er']"
    assert grammar.read(written(tmp_path, text)).question.verbs == ("(?:is|zijn) er",)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[question]\nverb = "is"', r"nl\.toml: question\.verb: "),
        ('[question]\nverbs = ["(is"]', r"nl\.toml: question\.verbs: .*no pattern"),
        ('[question]\nverbs = ["(?i)is"]', r"nl\.toml: question\.verbs: .*no pattern"),
        ('[dates]\nknown_as = [["(is", ""]]', r"nl\.toml: dates\.known_as\.0\.0: .*no pattern"),
        ('[question]\nverbs = ["{verb}"]', r"nl\.toml: question\.verbs: .*\[parts\] has no verb"),
        ("[question]\nverbs = 3", r"nl\.toml: question\.verbs: "),
        ("[question", r"nl\.toml: "),
    ],
)
def test_an_error_names_the_file_and_the_key(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        grammar.read(written(tmp_path, text))
