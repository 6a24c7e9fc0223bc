"""Excerpts: what is shown around the span that answers, as it stands on its page.

A passage is trimmed at the ends of sentences, a list between its items; code is whole. Nothing is
shown that announces what does not follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core import grammar
from core.evidence.lexical.sentence_ends import SENTENCE_END
from core.language.sentences import Sentences
from core.structure import CodeText, Neighbour
from worker.extractive.listing import announced, listing
from worker.extractive.noise import Boilerplate, says_nothing
from worker.extractive.shown import Around, bold, harmless, labelled

COMMAND = 40  # words of code that is shown below the passage before it
HEADING = 8  # words of a line without an end that may be a heading of what follows
_POINTS_BACK = re.compile(rf"{grammar.merged().answers.points_back}\b", re.IGNORECASE)
_TURNS_AGAINST = re.compile(rf"{grammar.merged().answers.turns_against}(?!\w)", re.IGNORECASE)
_IMAGE = re.compile(r"\[image(?:: [^\]]*)?\]\s*")
_ONLY_IMAGES = re.compile(rf"^(?:{_IMAGE.pattern})+\n", re.MULTILINE)
_TICKET = re.compile(r"[A-Z][A-Z0-9]+-\d+")
_END = re.compile(r"[.!?;)…]\W*$")


def excerpt(say: Sentences, shown: Around) -> str:
    """Markdown of a passage, a list, tasks or code."""
    piece = shown.best.hit.evidence
    if piece.code is not None:
        above = [harmless(piece.code.above)] if piece.code.above else []
        fenced = piece.code.model_copy(update={"above": ""}).fenced
        notes = [harmless(labelled(say, piece.after.text))] if _takes_back(piece.after) else []
        return "\n".join([*above, fenced, *notes])
    if piece.items:
        return harmless(labelled(say, _ONLY_IMAGES.sub("", listing(say, shown))))
    passage = harmless(_passage(say, shown))
    return "\n".join(filter(None, (passage, _command(shown, passage))))


def _command(shown: Around, passage: str) -> str:
    """The code below a passage that is shown to its end."""
    code = _code_below(shown)
    said = passage.replace("**", "")
    is_whole = said.endswith(_last(shown.best.hit.evidence.text))
    return code.model_copy(update={"above": ""}).fenced if code and is_whole else ""


def _code_below(shown: Around) -> CodeText | None:
    """Where somebody asks how to do it, or the passage announces it."""
    piece = shown.best.hit.evidence
    known = {each.id: each.code for each in shown.pieces if each.id not in shown.beside}
    is_wanted = shown.steps or piece.text.rstrip().endswith(":")
    code = known.get(piece.after.id) if is_wanted else None
    return code if code and len(code.text.split()) <= COMMAND else None


def _last(text: str) -> str:
    """The last sentence as it is shown."""
    return harmless(_sentences(text)[-1].text).replace("**", "")


@dataclass(frozen=True)
class _Sentence:
    text: str
    begins_line: bool

    @property
    def words(self) -> int:
        return len(self.text.split())


def _passage(say: Sentences, shown: Around) -> str:
    """Sentences around the best one; below its last one, the list that it announces."""
    span = shown.best
    sentences = [
        each
        for each in _sentences(span.hit.evidence.text)
        if each.text == span.text or not _is_noise(each.text, shown.boilerplate)
    ]
    at = _place(sentences, span.text)
    first, last = _around(sentences, at, shown.room)
    while last > at and sentences[last].text.endswith(":"):
        last -= 1
    lines: list[str] = []
    for place in range(first, last + 1):
        sentence = sentences[place]
        is_answer = place == at and shown.sure and last > first
        text = _IMAGE.sub("", sentence.text) or sentence.text
        text = bold(text) if is_answer else text
        if sentence.begins_line or not lines:
            lines.append(text)
        else:
            lines[-1] += f" {text}"
    if span.lists_below and last == at:
        lines += _below(say, shown) if span.announces else []
    elif last == len(sentences) - 1:
        after = span.hit.evidence.after
        # What takes it back is worth saying twice; there may be no room for it elsewhere.
        is_shown = after.id in shown.beside and not _takes_back(after)
        is_shown = is_shown or _code_below(shown) is not None
        if not is_shown and (more := _going_on(after, sentences[last])):
            lines.append(labelled(say, more))
    return labelled(say, "\n".join(lines))


def _below(say: Sentences, shown: Around) -> Sequence[str]:
    """The list that the best sentence announces; its beginning where the list was not found."""
    after = shown.best.hit.evidence.after.id
    first = next((piece for piece in shown.pieces if piece.id == after), None)
    room = shown.room if shown.steps else shown.room // 2  # who asks how does all of them
    return announced(say, first, shown.pieces, room) if first else shown.best.below


def _going_on(after: Neighbour, last: _Sentence) -> str:
    """The beginning of what follows, where the excerpt says half of it without that.

    It ends with what announces it, or what follows takes some of it back. Code has the sentence
    that announces it, too.
    """
    if after.is_list or after.table is not None:
        return ""
    goes_on = _announces(last) or _takes_back(after)
    return after.text.removeprefix(last.text).strip() if goes_on else ""


def _takes_back(after: Neighbour) -> bool:
    is_text = not after.is_list and after.table is None
    return is_text and _TURNS_AGAINST.match(after.text) is not None


def _announces(sentence: _Sentence) -> bool:
    """Ends with a colon, or looks like a heading that somebody has typed as a paragraph."""
    is_heading = sentence.begins_line and sentence.words <= HEADING
    return sentence.text.endswith(":") or (is_heading and not _END.search(sentence.text))


def _is_noise(sentence: str, boilerplate: Boilerplate) -> bool:
    is_ticket = _TICKET.fullmatch(sentence) is not None
    return is_ticket or says_nothing(sentence) or boilerplate(sentence)


def _sentences(text: str) -> list[_Sentence]:
    found: list[_Sentence] = []
    start = 0
    begins_line = True
    for gap in SENTENCE_END.finditer(text):
        found.append(_Sentence(text[start : gap.start()].strip(), begins_line))
        start, begins_line = gap.end(), "\n" in gap[0]
    found.append(_Sentence(text[start:].strip(), begins_line))
    return [sentence for sentence in found if sentence.text]


def _place(sentences: Sequence[_Sentence], text: str) -> int:
    texts = [sentence.text for sentence in sentences]
    return texts.index(text) if text in texts else 0


def _around(sentences: Sequence[_Sentence], at: int, room: int) -> tuple[int, int]:
    """The first and the last place shown: the paragraph of `at` first, then what is around it."""
    first = last = at
    left = room - sentences[at].words
    if at and _POINTS_BACK.match(sentences[at].text):
        first -= 1
        left -= sentences[first].words
    starts = [place for place, each in enumerate(sentences) if each.begins_line]
    begin = max((place for place in starts if place <= at), default=0)
    end = min((place for place in starts if place > at), default=len(sentences)) - 1
    for lowest, highest in ((begin, end), (0, len(sentences) - 1)):
        while last < highest and sentences[last + 1].words <= left:
            last += 1
            left -= sentences[last].words
        while first > lowest and sentences[first - 1].words <= left:
            first -= 1
            left -= sentences[first].words
    if last + 1 < len(sentences) and _TURNS_AGAINST.match(sentences[last + 1].text):
        last += 1
    return first, last
