"""An explanation as it is printed: by the ids of the evidence, copies told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import product

from core.attribution import AnswerPath, AnswerVerdict, Effect, Explanation, Role, SentenceCauses
from evaluation.explanations.any_answer.case import Case, key
from evaluation.harness.json_lines import Id

NEEDED = (Role.NEEDED, Role.TOGETHER)
UNTESTED = (AnswerVerdict.TOO_FEW, AnswerVerdict.NOT_TESTED)
UNDECIDED = (AnswerVerdict.SHARED, AnswerVerdict.VARIES)  # nothing is known of a single piece
Ids = tuple[Id, ...]


@dataclass(frozen=True)
class SentenceReport:
    """A sentence of the answer, and what it rests on."""

    text: str
    needed: Ids = ()  # without any of them it is lost
    part: Ids = ()  # each makes it more likely
    enough: tuple[Ids, ...] = ()  # any of these lists keeps it


@dataclass(frozen=True)
class Reported:
    """One line of what is printed."""

    id: Id
    answer: str
    verdict: AnswerVerdict = AnswerVerdict.NOT_TESTED
    sentences: tuple[SentenceReport, ...] = ()
    effects: dict[str, float] = field(default_factory=dict)
    shares: dict[str, float] = field(default_factory=dict)
    unused: Ids = ()
    calls: int = 0
    tokens: int | None = None  # None: the endpoint does not say
    seconds: float = 0.0
    path: AnswerPath = AnswerPath.SAMPLE

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def reported(case: Case, answer: str, found: Explanation) -> Reported:
    """By ids; what it cost is for the caller to add.

    Pieces that say the same were removed together: each has the effect of all of them, and an equal
    part of their share, so that shares still add up to 1. What was not tested has neither.
    """
    verdict = found.verdict or AnswerVerdict.NOT_TESTED
    by_ids = _ByIds(case, found)
    is_tested = verdict not in UNTESTED
    pieces = list(by_ids.pieces()) if is_tested else []
    unused = [each for each in found.effects if each.role is Role.UNUSED]
    return Reported(
        id=case.id,
        answer=answer,
        verdict=verdict,
        sentences=tuple(map(by_ids.sentence, found.sentences)),
        effects={name: round(each.effect, 4) for name, each in pieces},
        shares={name: round(each.share / len(each.evidence_ids), 4) for name, each in pieces},
        unused=by_ids.all_of(unused) if is_tested and verdict not in UNDECIDED else (),
        path=found.path,
    )


@dataclass(frozen=True)
class _ByIds:
    """Translates places among the effects into ids of the case."""

    case: Case
    found: Explanation

    def pieces(self) -> Iterator[tuple[str, Effect]]:
        """The key of each piece, with the effect that it belongs to."""
        for effect in self.found.effects:
            for each in self._ids(effect.evidence_ids):
                yield key(each), effect

    def all_of(self, effects: Iterable[Effect]) -> Ids:
        """In the order of the evidence."""
        found = {each for effect in effects for each in effect.evidence_ids}
        return self._ids(sorted(found, key=int))

    def sentence(self, sentence: SentenceCauses) -> SentenceReport:
        """A needed cluster of copies is no needed piece: each of its copies is enough."""
        needed: list[Effect] = []
        part: list[Effect] = []
        enough: dict[Ids, None] = {}
        for cause in sentence.causes:
            effect = self.found.effects[cause.effect]
            if cause.role in NEEDED and len(effect.copies) > 1:
                enough |= dict.fromkeys(map(self._ids, effect.copies))
            elif cause.role in NEEDED:
                needed.append(effect)
            elif cause.role is Role.PART:
                part.append(effect)
        for places in sentence.enough:
            enough |= dict.fromkeys(self._alternatives(places))
        return SentenceReport(sentence.text, self.all_of(needed), self.all_of(part), tuple(enough))

    def _alternatives(self, places: Iterable[int]) -> Iterator[Ids]:
        """One of several clusters, each by one of its copies."""
        copies = [self._copies(self.found.effects[place]) for place in places]
        for chosen in product(*copies):
            yield self._ids(sorted((each for ids in chosen for each in ids), key=int))

    def _copies(self, effect: Effect) -> tuple[tuple[str, ...], ...]:
        return effect.copies or (effect.evidence_ids,)

    def _ids(self, places: Iterable[str]) -> Ids:
        return tuple(self.case.evidence[int(each)].id for each in places)
