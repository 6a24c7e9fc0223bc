"""What is shown of one piece of evidence, and its text made safe to stand in Markdown."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.evidence.spans import Span
from core.language.sentences import Sentences
from core.markdown.reading import outside
from core.models import Evidence
from worker.extractive.noise import Boilerplate, never
from worker.text.citations import without_brackets

# Of an item; people also type it in front of paragraphs that are a list to the eye.
_TYPED_MARK = re.compile(r"^(?:[-•*]|\d+[.)])\s+")
# What the parser writes for the icon of a box, in English; nobody sees a word for the others.
_LABEL = re.compile(
    r"(\**)(?:(Info|Tip|Note|Warning|Success|Error)|Panel|Summary|Page properties): "
)
_MARKED_UP = re.compile(r"[*_`~]")  # what bold could break, or be broken by


@dataclass(frozen=True)
class Around:
    """What is shown of one piece: the spans that answer, and how much may stand around them."""

    spans: Sequence[Span]  # of one piece, the best first
    room: int  # words
    sure: bool = False  # the best span surely answers: it is set in bold
    boilerplate: Boilerplate = never
    beside: Collection[str] = ()  # ids of all pieces that are shown
    pieces: Sequence[Evidence] = ()  # of its page, as far as found
    steps: bool = False  # are asked for, so that commands belong to them

    @property
    def best(self) -> Span:
        return self.spans[0]


def harmless(text: str) -> str:
    """Page text that neither cites nor opens code, in which citations would be lost.

    >>> harmless("as said [1], run `echo ${a[1]}`")
    'as said (1), run `echo ${a[1]}`'
    """
    parts = outside(text.replace("```", "'''"))
    return "".join(
        part if is_code and part.startswith("`") else without_brackets(part)
        for part, is_code in parts
    )


def labelled(say: Sentences, text: str) -> str:
    """With the word for the box around it in the language of the answer, where it has one.

    >>> from core.language.sentences import sentences
    >>> labelled(sentences("de"), "Warning: Nur mit Helm."), labelled(sentences("de"), "Panel: Ja.")
    ('Achtung: Nur mit Helm.', 'Ja.')
    """
    label = _LABEL.match(text)
    if label is None:
        return text
    kind = f"{say(f'panel-{label[2].lower()}')}: " if label[2] else ""
    return f"{label[1]}{kind}{text[label.end() :]}"


def bold(text: str) -> str:
    """In bold, without the mark of an item; as it is where it has marks of its own.

    >>> bold("- Unplug it"), bold("call `stop()`")
    ('- **Unplug it**', 'call `stop()`')
    """
    mark = _TYPED_MARK.match(text)
    start = mark.end() if mark else 0
    said = text[start:]
    if not said.strip() or "\n" in said or _MARKED_UP.search(said):
        return text
    return f"{text[:start]}**{said}**"
