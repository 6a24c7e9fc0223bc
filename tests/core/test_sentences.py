"""The catalogue: every sentence is in every language, is used, and stands nowhere in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po

from bot.linking.link_pages import FIELDS
from bot.views.answer_menu import Choice
from bot.views.feedback_forms import WHYS
from console.reports.questions import QuestionOutcome
from core.access.sites import LinkBy
from core.attribution import AnswerPath, AnswerVerdict, Method, Role
from core.dialogue.decision import Attention
from core.language import FOLDER
from core.language.sentences import language_named, sentences
from core.manner import Context, Length, Mode, Tone
from core.models import Confidence, Kind, Note
from core.policy.preferences import Preferences
from core.question import Field, QuestionKind
from core.settings.values import Askers
from core.states import NoAnswer, NoExplanation

ROOT = Path(__file__).parents[2]
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.po"))
# What people read is written here; whatever else says a sentence says it to operators.
SPEAKING = (
    "bot/views",
    "bot/listeners",
    "bot/delivery",
    "bot/slack_api",
    "worker/entities/statements.py",
    "worker/extractive/render.py",
    "worker/extractive/table_rows.py",
    "worker/extractive/yes_no.py",
    "worker/suggestions/question_templates.py",
    "worker/attribution/dots.py",
)
SAYS = ("say", "_say", "sentences")
# Words that only whoever runs the bot knows.
OF_OPERATORS = re.compile(
    r"\b(log|pool|vector|chroma|redis|queue|worker|programs?|database|operator|\w+_URL|sync|indexed"
    r"|configured|conditions|factoid|retrieve)\b",
    re.I,
)
OF_MATPLOTLIB = ("offset points", "outside lower center")
# Titles of which Slack shows more.
NO_MODALS = ("home-title", "trace-title", "forget-title")
_SAID = re.compile(r"\bsay\(\"([\w-]+)\"([^)]*)\)")
_TWO_WORDS = re.compile(r"[^\W\d_]{2,}[,:;]? [^\W\d_]{2,}")


@cache
def catalogue(language: str) -> Catalog:
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def messages(language: str) -> dict[str, Message]:
    return {key(message): message for message in catalogue(language) if message.id}


def key(message: Message) -> str:
    return str(message.id[0] if message.pluralizable else message.id)


def forms(message: Message) -> tuple[str, ...]:
    said = message.string or ""
    return (said,) if isinstance(said, str) else tuple(said)


def placeholders(message: Message) -> set[str]:
    names: set[str] = set()
    for form in forms(message):
        names.update(name for _, name, _, _ in Formatter().parse(form) if name is not None)
    return names - {"count"}  # some languages say `one` without it


def trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for folder in folders:
        path = ROOT / folder
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            yield file, ast.parse(file.read_text())


def speaks(call: ast.Call) -> bool:
    """Whether a sentence is said here: `say(…)`, `self.say(…)`, `sentences(…)(…)`."""
    said = call.func.func if isinstance(call.func, ast.Call) else call.func
    name = said.attr if isinstance(said, ast.Attribute) else getattr(said, "id", "")
    return name in SAYS[:2] or (name == SAYS[2] and isinstance(call.func, ast.Call))


def said() -> Iterator[tuple[str, bool]]:
    """Each key that is said as it stands, and whether with a count."""
    for _, tree in trees("core", "bot", "worker", "console"):
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and speaks(call) and call.args:
                first = call.args[0]
                if isinstance(first, ast.Constant):
                    yield str(first.value), "count" in [word.arg for word in call.keywords]
    yield from (each for each in in_templates() if not each[0].endswith("-"))


def mentioned() -> tuple[set[str], list[re.Pattern[str]]]:
    """Every text in the code that may be a key, and the patterns of those that are put together."""
    texts: set[str] = set()
    patterns: list[re.Pattern[str]] = []
    for _, tree in trees("core", "bot", "worker", "console"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            if isinstance(node, ast.JoinedStr) and (pattern := pattern_of(node)):
                patterns.append(re.compile(pattern))
    for name, _ in in_templates():
        texts.add(name)
        if name.endswith("-"):
            patterns.append(re.compile(re.escape(name) + ".*"))
    return texts, patterns


def in_templates() -> Iterator[tuple[str, bool]]:
    """Each key, or its beginning, that a template of the console says; whether with a count."""
    for file in sorted((ROOT / "console/templates").glob("*.j2")):
        for found in _SAID.finditer(file.read_text()):
            yield found[1], "count=" in found[2]


def pattern_of(node: ast.JoinedStr) -> str:
    """`reason-.*` of `f"reason-{why}"`; empty for what is no key."""
    parts = [str(part.value) for part in node.values if isinstance(part, ast.Constant)]
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*-|-[a-z]+", "".join(parts)):
        return ""
    return "".join(
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*"
        for part in node.values
    )


def members() -> Iterator[tuple[str, Iterable[str]]]:
    """Beginnings of keys, and what they end with."""
    yield "reason", NoAnswer
    yield "unexplained", NoExplanation
    yield "note", Note
    yield "fact", Note
    yield "confidence", Confidence
    yield "filter", Field
    yield "kind", QuestionKind
    yield "evidence", Kind
    yield "menu", Choice
    yield "why", WHYS
    yield "untested", Method
    yield "role", Role
    yield "verdict", set(AnswerVerdict) - {AnswerVerdict.NOT_TESTED}
    yield "how", AnswerPath
    yield "mode", Mode
    yield "context", Context
    yield "length", Length
    yield "tone", Tone
    yield "askers", Askers
    yield "mention", Attention
    yield "setting", Preferences.model_fields
    yield "link-by", LinkBy
    yield "link-field", {name for fields in FIELDS.values() for name in fields}
    yield "console-badge", Confidence
    yield "console-outcome", QuestionOutcome
    yield "step", ("complete", "filter", "retrieve", "confirm", "widen", "generate", "suggest")


def test_there_is_english_and_german() -> None:
    assert {"en", "de"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_every_sentence_with_the_same_values(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert set(other) == set(english)
    differing = [
        name for name, each in other.items() if placeholders(each) != placeholders(english[name])
    ]
    assert differing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_lacks_a_form_that_its_language_counts_with(language: str) -> None:
    number = catalogue(language).num_plurals
    for name, message in messages(language).items():
        assert all(forms(message)), name
        assert not message.fuzzy, name
        assert len(forms(message)) == (number if message.pluralizable else 1), name


def test_every_key_that_is_said_exists_and_is_counted_where_it_is_plural() -> None:
    known = messages("en")
    wrong = [
        name
        for name, counted in said()
        if name not in known or known[name].pluralizable is not counted
    ]
    assert wrong == []


def test_every_sentence_is_said_somewhere() -> None:
    texts, patterns = mentioned()
    unsaid = [
        name
        for name in messages("en")
        if name not in texts and not any(pattern.fullmatch(name) for pattern in patterns)
    ]
    assert unsaid == []


@pytest.mark.parametrize(("beginning", "ends"), list(members()))
def test_every_member_of_an_enum_that_makes_a_key_has_its_sentence(
    beginning: str, ends: Iterable[str]
) -> None:
    assert [end for end in ends if f"{beginning}-{end}" not in messages("en")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_says_a_word_that_only_operators_know(language: str) -> None:
    found = []
    for name, message in messages(language).items():
        if name.startswith("console-"):
            continue  # operators read it
        found += [f"{name}: {form}" for form in forms(message) if OF_OPERATORS.search(form)]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_of_modals_and_texts_of_buttons_fit_where_slack_shows_them(language: str) -> None:
    too_long = []
    for name, message in messages(language).items():
        is_title = name.endswith("-title") and name not in NO_MODALS
        most = 24 if is_title or name in ("settings", "button-explain") else 75
        if (is_title or name.startswith(("button-", "menu-"))) and len(forms(message)[0]) > most:
            too_long.append(name)
    assert too_long == []


def test_no_sentence_stands_in_python() -> None:
    found = []
    for path, tree in trees(*SPEAKING):
        ignored = {id(part) for node in not_read(tree) for part in ast.walk(node)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in ignored:
                continue
            if isinstance(node.value, str) and is_a_sentence(node.value):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}")
    assert found == []


def is_a_sentence(text: str) -> bool:
    """Whether it has two words, and is neither a part of a key nor what matplotlib calls a unit."""
    ends_a_key = any(name.endswith(f"-{text}") for name in messages("en"))
    return bool(_TWO_WORDS.search(text)) and not ends_a_key and text not in OF_MATPLOTLIB


def not_read(tree: ast.Module) -> Iterator[ast.AST]:
    """What nobody in Slack reads: docstrings, logs, patterns, lists of words, errors, keys."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node
        if isinstance(node, ast.Raise):
            yield node
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(
            ("re.", "_words", "log.")
        ):
            yield node


def test_the_nearest_language_speaks_and_english_where_there_is_none() -> None:
    spoken = {name: sentences(name).language for name in ("de", "de-AT", "de_DE", "en-GB")}
    assert spoken == {"de": "de", "de-AT": "de", "de_DE": "de", "en-GB": "en"}
    assert {sentences(name).language for name in ("", "fr-FR", "xx", "!!", "d")} == {"en"}


def test_numbers_days_and_lists_are_written_as_the_locale_writes_them() -> None:
    german, american, british = sentences("de-DE"), sentences("en-US"), sentences("en-GB")
    assert (german.number(1234.5, 2), american.number(1234.5, 2)) == ("1.234,50", "1,234.50")
    assert (german.percent(0.4), american.percent(0.4)) == ("40\xa0%", "40%")
    day = "2026-03-01T08:00:00Z"
    assert [say.day(day) for say in (german, american, british)] == [
        "01.03.2026",
        "Mar 1, 2026",
        "1 Mar 2026",
    ]
    assert (german.listed(["A", "B", "C"]), american.day("")) == ("A, B und C", "")
    assert german.moment(1795305600) == "22.11.2026, 00:00 UTC"


def test_one_and_many_are_told_apart() -> None:
    german = sentences("de")
    counted = [german("home-questions", count=count) for count in (0, 1, 1200)]
    assert counted == ["0 Fragen", "1 Frage", "1.200 Fragen"]


def test_a_value_is_not_read_as_a_placeholder() -> None:
    assert sentences("en")("model", model="{count}") == "model {count}"


def test_a_key_that_does_not_exist_is_an_error() -> None:
    say = sentences("de")
    with pytest.raises(KeyError):
        say("no-such-sentence")
    with pytest.raises(KeyError):
        say("no-such-sentence", count=2)
    assert ("no-such-sentence" in say, "thanks" in say, "home-questions" in say) == (
        False,
        True,
        True,
    )


def test_a_language_is_known_by_its_english_name_and_called_by_its_own() -> None:
    assert [language_named(name) for name in ("German", "English", "French", "")] == [
        "de",
        "en",
        "",
        "",
    ]
    assert sentences("de").language_name("French") == "Französisch"
    assert sentences("de").language_name("Klingonish") == "Klingonish"
