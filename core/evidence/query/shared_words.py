"""Word vectors that all processes of a host map from one file: 100 MB for 40,000 words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core import logs
from core.evidence.lexical.segments import file
from core.evidence.lexical.segments.file import Damaged
from core.evidence.lexical.segments.packed import Texts
from core.evidence.query.word_vectors import WordVectors

FORMAT = 1

log = logs.get(__name__)


@dataclass(frozen=True)
class TriedWords:
    """Words with their vectors, and all that were looked at, also those left out."""

    words: WordVectors
    tried: Texts


class SharedWords:
    """The file in a folder; one that is damaged, or of another index, is as good as none."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"word-vectors-{FORMAT}.words"

    def load(self, identity: str, embedder: str) -> TriedWords | None:
        try:
            head, found = file.read(self._path, TriedWords)
        except FileNotFoundError:
            return None
        except (Damaged, OSError) as error:
            log.warning("words.unreadable", error=str(error))
            return None
        return found if (head["identity"], head["embedder"]) == (identity, embedder) else None

    def forget(self) -> None:
        """Whoever maps it keeps it until they have heard of the same change."""
        self._path.unlink(missing_ok=True)

    def save(self, words: TriedWords, identity: str, embedder: str) -> TriedWords:
        """The same, mapped; in memory where it cannot be written."""
        try:
            head = {"identity": identity, "embedder": embedder}
            file.write(self._path, lambda _: words, head)
        except OSError as error:
            log.warning("words.not_saved", error=str(error))
            return words
        return self.load(identity, embedder) or words
