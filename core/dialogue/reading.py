"""Reads a message by the grammars of dialogue: its courtesies, and what is left without them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum

from rapidfuzz.distance import OSA

from core import grammar
from core.dialogue.folding import PEOPLE, folded, pattern, without_marks

_GRAMMAR = grammar.merged()
_WORDS = _GRAMMAR.dialogue
_SEGMENT = re.compile(r"[^.!?…,;:\n–]+(?:[.,:](?=\S)[^.!?…,;:\n–]+)*[.!?…,;:\n–)(]*")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


class Courtesy(StrEnum):
    """What a message is that says nothing else; of several the first counts."""

    COMPLAINT = "complaint"
    THANKS = "thanks"
    GREETING = "greeting"
    PRAISE = "praise"
    ASSENT = "assent"


class _Called(Enum):
    """Whom a courtesy is for."""

    NOBODY = 0
    ALL = 1
    SOMEBODY = 2


@dataclass(frozen=True)
class Reading:
    """What a message says.

    `rest` is its text from the first part on that is more than a courtesy; empty: there is none.
    """

    courtesies: frozenset[Courtesy]
    rest: str
    content: tuple[str, ...]  # words of the rest that say something, folded
    asks: bool  # has the form of a question
    names_somebody: bool  # other than the bot
    greets_everybody: bool = False  # and nobody in particular

    @property
    def courtesy(self) -> Courtesy | None:
        return next((each for each in Courtesy if each in self.courtesies), None)


_OF = {
    Courtesy.COMPLAINT: re.compile(rf"\b{pattern(_WORDS.complaints)}(?!\w)"),
    Courtesy.THANKS: re.compile(rf"\b{pattern(_WORDS.thanks)}(?!\w)"),
    Courtesy.GREETING: re.compile(rf"\b{pattern(_WORDS.greetings)}(?!\w)"),
    Courtesy.PRAISE: re.compile(rf"\b{pattern(_WORDS.praise)}(?!\w)"),
    Courtesy.ASSENT: re.compile(rf"\b{pattern(_WORDS.assents)}(?!\w)"),
}
_OF_EMOJI = {
    Courtesy.THANKS: re.compile("🙏|❤|:(?:pray|heart|bow):"),
    Courtesy.GREETING: re.compile("👋|:wave:"),
}
# Long enough that what is one letter away from it is hardly another word.
_THANKS = [
    word for words in _WORDS.thanks for word in words.split("|") if re.fullmatch("[a-z]{5,}", word)
]
# What is meant wherever it stands: "found it, thanks".
_ANYWHERE = (Courtesy.COMPLAINT, Courtesy.THANKS)
_LEADING = re.compile(
    rf"(?:(?:{_OF[Courtesy.THANKS].pattern}|{_OF[Courtesy.GREETING].pattern}"
    rf"|{_OF[Courtesy.PRAISE].pattern}|{_OF[Courtesy.ASSENT].pattern})\W+)*"
)
_ASKS = re.compile(rf"(?:{pattern(_WORDS.begins)}|{pattern(_WORDS.requests)})")
_IDLE = frozenset(
    folded(word)
    for words in (
        _GRAMMAR.stop_words.search,
        _GRAMMAR.stop_words.language,
        _WORDS.around,
        _WORDS.please,
        _WORDS.bot,
        _WORDS.everybody,
    )
    for word in words
)
_YOU = re.compile(rf"\b{pattern(_WORDS.you)}\b")
_EVERYBODY = re.compile(rf"\b{pattern(_WORDS.everybody)}\b")


def read(text: str, names: Collection[str] = ()) -> Reading:
    """What a text says; `names` are of people who are there."""
    known = frozenset(folded(name) for name in names)
    courtesies = {kind for kind, emoji in _OF_EMOJI.items() if emoji.search(text)}
    names_somebody, greets_everybody = PEOPLE.search(text) is not None, False
    plain = without_marks(text)
    rest = ""
    for start, part in _segments(plain):
        kind, called = _courtesy(part, known)
        names_somebody = names_somebody or (called is _Called.SOMEBODY and kind is not None)
        greets_everybody = greets_everybody or (called is _Called.ALL and kind is not None)
        if kind and (not rest or kind in _ANYWHERE):
            courtesies.add(kind)
        elif rest:
            continue
        elif _is_call(part, plain[start:], known):
            names_somebody = True
        else:
            rest = text[start:].strip()
    said = without_marks(rest)
    return Reading(
        frozenset(courtesies),
        rest,
        content=content_words(said, known),
        asks=_asks(said),
        names_somebody=names_somebody or _calls(said, known),
        greets_everybody=greets_everybody,
    )


def content_words(text: str, names: Collection[str] = ()) -> tuple[str, ...]:
    """The words of a text that say something, folded."""
    return tuple(word for word in _telling(folded(text)) if word not in names)


def _stems(words: list[str]) -> Iterator[str]:
    """Without what an apostrophe adds: `Lea's` is Lea."""
    for word in words:
        yield word.partition("'")[0]


def _segments(text: str) -> Iterator[tuple[int, str]]:
    """Parts up to a comma or the end of a sentence, each with its place."""
    for found in _SEGMENT.finditer(text):
        if _WORD.search(found[0]):
            yield found.start(), found[0].strip()


def _courtesy(part: str, names: frozenset[str]) -> tuple[Courtesy | None, _Called]:
    """Of what kind a part is, and whom it calls; None: it says more."""
    plain = _mended(folded(part))
    kinds = [kind for kind, words in _OF.items() if words.search(plain)]
    if not kinds:
        return None, _Called.NOBODY
    first, left = _first(kinds, plain), plain
    for kind in kinds:
        left = _OF[kind].sub(" ", left)
    words = _telling(left)
    called = _Called.ALL if _EVERYBODY.search(left) else _Called.NOBODY
    if any(word in names for word in words):
        called = _Called.SOMEBODY
    unknown = [word for word in words if word not in names]
    if part.endswith("?"):
        is_greeting = first is Courtesy.GREETING and not unknown
        return (first if is_greeting else None), called
    if len(unknown) == 1 and first in (Courtesy.THANKS, Courtesy.GREETING):
        is_name = re.search(rf"\b{unknown[0].capitalize()}\b", part) is not None
        if is_name or first is Courtesy.THANKS:
            # of somebody whom nobody knows here
            return first, _Called.SOMEBODY if is_name else _Called.NOBODY
    if unknown or (first is Courtesy.ASSENT and _asks(part)):
        return None, _Called.NOBODY
    return first, called


def _first(kinds: list[Courtesy], plain: str) -> Courtesy:
    """The kind that counts; "good to know" is no praise, and "well done" no assent."""
    if kinds[0] is not Courtesy.PRAISE or Courtesy.ASSENT not in kinds:
        return kinds[0]
    if _telling(_OF[Courtesy.ASSENT].sub(" ", plain)):
        return Courtesy.PRAISE
    return max(Courtesy.ASSENT, Courtesy.PRAISE, key=lambda kind: _length(kind, plain))


def _length(kind: Courtesy, plain: str) -> int:
    """How much of a text the words of this kind are."""
    return sum(len(found[0]) for found in _OF[kind].finditer(plain))


def _telling(plain: str) -> list[str]:
    return [word for word in _stems(_WORD.findall(plain)) if word not in _IDLE]


def _mended(plain: str) -> str:
    """With thanks that were typed in a hurry, "thnaks", written out.

    Where nothing else is said: else it is another word, "more than in Porto", "the dane on call".
    """
    mended = _WORD.sub(lambda word: _thanks_like(word[0]) or word[0], plain)
    return plain if _telling(_OF[Courtesy.THANKS].sub(" ", mended)) else mended


def _thanks_like(word: str) -> str:
    """The word of thanks with a letter too many, too few, or two that changed places."""
    for right in _THANKS:
        is_typo = word[0] == right[0] and OSA.distance(word, right, score_cutoff=1) == 1
        if is_typo and (len(word) != len(right) or sorted(word) == sorted(right)):
            return right
    return ""


def _is_call(part: str, text: str, names: frozenset[str]) -> bool:
    """Whether a text begins with somebody's name: `Ben, did you …`, and not `Wow, how fast`."""
    name = part.rstrip(",:")
    alone = name != part and _WORD.fullmatch(name) is not None and name[:1].isupper()
    if not alone or len(text) <= len(part):
        return False
    if folded(name) in names:
        return True
    is_word = name.isupper() or not content_words(name)
    return not is_word and _YOU.search(folded(text)) is not None


def _calls(text: str, names: frozenset[str]) -> bool:
    """Whether a text speaks to somebody who is there, or asks a name: `Jonas can you …`."""
    plain = folded(text)
    first, _, rest = plain.partition(" ")
    last = re.search(r",\s*(\w+)\W*$", plain)
    if first in names or (last and (last[1] in names or _is_asked(last[1], plain))):
        return True
    asks_you = _YOU.search(" ".join(rest.split()[:2])) is not None
    if not asks_you or _ASKS.match(plain):
        return False
    return bool(_telling(first)) and _ASKS.match(rest) is not None


def _is_asked(last: str, plain: str) -> bool:
    """Whether a name stands at the end: `did you bring it, jonas?`."""
    return plain.endswith("?") and bool(_telling(last)) and _YOU.search(plain) is not None


def _asks(text: str) -> bool:
    for _, part in _segments(text):
        plain = folded(part)
        if part.endswith("?") or _ASKS.match(plain) or _ASKS.match(plain, _lead(plain)):
            return True
    return False


def _lead(text: str) -> int:
    """Where the courtesies end that a part begins with."""
    found = _LEADING.match(text)
    return found.end() if found else 0
