"""Scripts of the scripted model: functions from messages to text.

The toy is honest: it quotes and cites the sentence of the evidence that shares most words with the
question, or says that the pages do not answer. It understands nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from sandbox.llm import reading

Messages = list[dict[str, Any]]
Script = Callable[[Messages], str]

NO_ANSWER = "The pages I can read do not answer this."
COMPLETE = "Task: complete the question"
FILTERS = "Task: find the filters"
AGAIN = "Task: search again"
FOR_WHOM = "Task: who is this message for"
DRAFT = "Task: draft a sentence for a page"
SAID = re.compile(r"^(?:A colleague has said|Accepted answer):[ \t]*(\S.*)$", re.MULTILINE)
EVIDENCE = re.compile(
    r"^\[(\d+)\]\s+(.*?)(?=^\[\d+\]\s|^Table\b|^EVIDENCE>>>|^Question:|^Task:|\Z)",
    re.MULTILINE | re.DOTALL,
)
# What stands around a piece on its page, for context.
NEIGHBOUR = re.compile(r"^[ \t]*\((?:before|after): .*\)[ \t]*$\n?", re.MULTILINE)
TABLE = re.compile(r"^Table\b.*\n(?: {4}.*\n)*?(?P<header> {4}.*\n)(?=\[)", re.MULTILINE)
QUESTION = re.compile(r"^(?:Earlier question|Question):[ \t]*(\S.*)$", re.MULTILINE)
POINTS_BACK = re.compile(
    r"^(and|what about|how about|und|was ist mit)\b"
    r"|\b(it|its|they|them|there|that|those|er|sie|dort|davon|dafür|das)\b",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ0-9\"“„])|\n+")
# Stop words.
COMMON = set(re.findall(r"\w+", """
    a an and are as at be by can could did do does for from had has have how i if in is it its many
    may me much must my of on or our should so tell than that the their them then there these they
    this to us was we were what when where which who whom why will with would you your about
    aber als am an auf aus bei bin bis das dass dem den der des die dies diese dieser du ein eine
    einem einen einer er es für hat haben ich ihr im in ist kann kommt man mein mich mit muss müssen
    nach nicht noch nur oder sich sie sind so soll über um und uns unser unter viel viele vom von
    vor wann war warum was welche welcher welches wem wen wenn wer werden wie wieviel wir wird wo
    zu zum zur
"""))  # fmt: skip
TELLING = 3  # a question with fewer telling words than this is taken for a follow-up
OPENINGS = ["", "According to the pages: ", "In short: ", "The documentation says: "]


class Sentence(NamedTuple):
    """A sentence of a piece of evidence."""

    number: str
    title: str
    text: str


def toy(messages: Messages) -> str:
    """The best sentence of the evidence with its number, or that there is no answer."""
    prompt = last_user_text(messages)
    if re.search(rf"^{COMPLETE}", all_text(messages), re.MULTILINE):
        return completed(all_text(messages))
    if re.search(rf"^{FILTERS}", all_text(messages), re.MULTILINE):
        return "[]"
    if re.search(rf"^{AGAIN}", prompt, re.MULTILINE):
        return " ".join(sorted(content_words(QUESTION.findall(prompt)[-1])))
    if re.search(rf"^{FOR_WHOM}", prompt, re.MULTILINE):
        said = prompt.rpartition("\nNow ")[2].rpartition("\n")[0]
        return "question" if said.rstrip().endswith("?") else "silence"
    if prompt.startswith(reading.TASK):
        return reading.read_claims(prompt)
    if re.search(rf"^{DRAFT}", prompt, re.MULTILINE):
        return next(iter(SAID.findall(prompt)), "NONE")
    asked = QUESTION.findall(prompt)
    words = content_words(asked[-1] if asked else "")
    scored = [(overlap(words, s), -position, s) for position, s in enumerate(sentences(prompt))]
    best, _, sentence = max(scored, default=(0.0, 0, Sentence("", "", "")))
    return f"{sentence.text} [{sentence.number}]" if best else NO_ANSWER


def echo(messages: Messages) -> str:
    """What the user wrote last, unchanged."""
    return last_user_text(messages)


def vary(seed: int) -> Script:
    """The toy's answer with an opening that varies from call to call, by the seed."""
    choices = random.Random(seed)

    def varied(messages: Messages) -> str:
        return choices.choice(OPENINGS) + toy(messages)

    return varied


def completed(prompt: str) -> str:
    """Query rewriting by joining: `How much leave is there? And in Spain?`.

    The last question is joined with the one before it when it points back or says little.
    """
    *earlier, last = [question.strip() for question in QUESTION.findall(prompt)] or [""]
    needs_more = POINTS_BACK.search(last) or len(content_words(last)) < TELLING
    return f"{earlier[-1]} {last}" if earlier and needs_more else last


def sentences(prompt: str) -> list[Sentence]:
    """Each sentence or line of the numbered evidence; a row of a table is one sentence."""
    found: list[Sentence] = []
    shown = NEIGHBOUR.sub("", prompt)
    for match in EVIDENCE.finditer(shown):
        number, text = match.groups()
        columns = _columns(shown, match.start())
        found += _rows(number, text, columns) if columns else _lines(number, text)
    return found


def _rows(number: str, text: str, columns: Sequence[str]) -> Iterator[Sentence]:
    for row in text.splitlines():
        if " | " in row:
            yield Sentence(number, "", _as_sentence(columns, row))


def _lines(number: str, text: str) -> Iterator[Sentence]:
    """A first line without a full stop is the title of the others."""
    first, _, rest = text.strip().partition("\n")
    title = first if rest.strip() and not first.rstrip().endswith((".", "!", "?")) else ""
    for sentence in SENTENCE_END.split(rest if title else text):
        if sentence.strip():
            yield Sentence(number, title, sentence.strip())


def _columns(shown: str, place: int) -> list[str]:
    """The header of the table that a piece at this place is a row of; nothing where it is none."""
    columns: list[str] = []
    for table in TABLE.finditer(shown):
        if table.end() <= place and "\n\n" not in shown[table.end() : place]:
            columns = table["header"].strip().split(" | ")
    return columns


def _as_sentence(columns: Sequence[str], row: str) -> str:
    """`Team is Vision, Team lead is Priya Raman`, as a model would read it."""
    cells = zip(columns, row.split(" | "), strict=False)
    return ", ".join(f"{name} is {value.strip()}" for name, value in cells)


def overlap(words: set[str], sentence: Sentence) -> float:
    """How many of the words the sentence has; those in its title alone count a quarter."""
    own = words & content_words(sentence.text)
    in_title = (words - own) & content_words(sentence.title)
    return len(own) + len(in_title) / 4 if own else 0.0


def content_words(text: str) -> set[str]:
    """The words of a text in lower case, without stop words, a plural s left off."""
    return {word.rstrip("s") for word in re.findall(r"\w+(?:\.\w+)*", text.lower())} - COMMON


def last_user_text(messages: Messages) -> str:
    return next((text_of(m) for m in reversed(messages) if m.get("role") == "user"), "")


def all_text(messages: Messages) -> str:
    return "\n".join(text_of(message) for message in messages)


def text_of(message: dict[str, Any]) -> str:
    """A message's text: a string, or a list of parts of which those of type `text` count."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def tokens(text: str) -> list[str]:
    """A text as words with the space before them, which join to the text; `usage` counts these."""
    starts = [0, *(m.start() for m in re.finditer(r"(?<=\S)\s+", text)), len(text)]
    return [text[a:b] for a, b in pairwise(starts) if a < b]
