"""The message reader: the packaged encoder, trained on what people said that messages mean.

It reads a message with what was said before it: the same words are a question to the bot here and
talk between two people there. `python -m evaluation acts --train` writes `trained.npz`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import ascii_lowercase

import numpy as np

from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Message, Place
from core.encoder.bundled import BEGIN, END, encoder, trained_from
from core.encoder.classifier import Classifier
from core.encoder.network import ReadTokens
from core.encoder.word_pieces import WordPieces

TRAINED = Path(__file__).with_name("trained.npz")
MEANINGS = tuple(Meaning)  # in the order of the network's outputs
LINES = 6  # that were said before and are read
WORDS, WORDS_OF_BOT = 28, 22  # of each of them: what an answer is about, its beginning says
# Tokens that are read: of all lines together the last ones, of the message both ends.
LONGEST_BEFORE, LONGEST_TEXT = 110, 60
PLACE_TOKENS = 4  # that stay where lines are cut


class MeaningReader:
    """Reads messages. Threads may share it."""

    def __init__(self, network: Classifier, pieces: WordPieces) -> None:
        self._network = network
        self._pieces = pieces

    def likely(self, message: Message) -> dict[str, float]:
        """How likely each meaning is; together 1."""
        (scores,) = self._network.scores([row_of(message, self._pieces)])
        shares = np.exp(scores - scores.max())
        return dict(zip(MEANINGS, (shares / shares.sum()).tolist(), strict=True))


def load() -> MeaningReader:
    """The reader that is shipped.

    Raises:
        SettingsError: the package with the encoder is not there.
    """
    file, pieces = encoder()
    return MeaningReader(Classifier(file, trained_from(TRAINED)), pieces)


def row_of(message: Message, pieces: WordPieces) -> ReadTokens:
    """Where it was written and what was said before, then the message itself."""
    said = " | ".join(_lines(message))
    before = pieces.encode(f"{_place(message)}. {said}").ids
    if len(before) > LONGEST_BEFORE:
        before = [*before[:PLACE_TOKENS], *before[PLACE_TOKENS - LONGEST_BEFORE :]]
    text = pieces.encode(f"me: {message.as_written or message.text}").ids
    if len(text) > LONGEST_TEXT:
        text = [*text[: LONGEST_TEXT // 2], *text[-(LONGEST_TEXT // 2) :]]
    return ReadTokens([BEGIN, *before, END, END, *text, END], len(before) + 3)


def _place(message: Message) -> str:
    is_called = message.mentions_bot and message.place is not Place.DM
    return "mention" if is_called else message.place.value


def _lines(message: Message) -> Iterator[str]:
    """Who said what: `me` is who writes now, others are told apart, their names say nothing."""
    letters = iter(ascii_lowercase)
    roles = {message.who: "me"}
    for line in message.before[-LINES:]:
        if not line.by_bot and line.who not in roles:
            roles[line.who] = next(letters)
        yield f"{_role(line, roles)}: {_beginning(line)}"


def _role(line: Line, roles: Mapping[str, str]) -> str:
    return "bot" if line.by_bot else roles[line.who]


def _beginning(line: Line) -> str:
    words = line.text.split()[: WORDS_OF_BOT if line.by_bot else WORDS]
    return " ".join(words) or "…"
