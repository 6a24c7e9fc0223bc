"""Manner: how an answer is made, where channels and people can choose."""

from __future__ import annotations

from enum import StrEnum

from core.value import Value


class Mode(StrEnum):
    """What evidence is looked for by."""

    BOTH = "both"
    WORDS = "words"
    MEANING = "meaning"


class Length(StrEnum):
    """How much an answer says."""

    SHORT = "short"
    NORMAL = "normal"
    LONG = "long"


class Context(StrEnum):
    """How much of the pages found the answer is made from."""

    AUTO = "auto"  # pages for a model that has passed the exam, else fragments
    FRAGMENTS = "fragments"
    PAGES = "pages"  # the best ones as a whole; see worker.retrieval.whole_pages


class Tone(StrEnum):
    """How a model says it."""

    PLAIN = "plain"
    FRIENDLY = "friendly"
    FORMAL = "formal"


class Manner(Value):
    """How an answer is made, where channels and people can choose; see core.policy.preferences."""

    spaces: tuple[str, ...] = ()  # keys; nothing else is searched. Empty: all
    model: str = ""  # that writes the answer; empty: LLM_MODEL
    mode: Mode = Mode.BOTH
    evidence: int = 0  # pieces searched for; 0: as many as the kind of question needs
    context: Context = Context.AUTO
    length: Length = Length.NORMAL
    tone: Tone = Tone.PLAIN
    language: str = ""  # in English, such as German; empty: the question's
