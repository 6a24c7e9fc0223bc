"""What is printed names pieces by their own ids, and tells copies apart."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.attribution import (
    AnswerVerdict,
    Cause,
    Effect,
    Explanation,
    Role,
    SentenceCauses,
    Spread,
)
from evaluation.explanations.any_answer.case import Case, Piece
from evaluation.explanations.any_answer.reported import Ids, SentenceReport, reported

IDS: Sequence[str | int] = ("a", 7, "c", "d")
CASE = Case(
    id=1,
    question="How long is leave?",
    evidence=tuple(Piece(id=each, title="", text=f"Text {each}") for each in IDS),
)
SAID = "Everybody has 25 days."


def effect(
    *places: int, role: Role, copies: Sequence[Sequence[int]] = (), share: float = 0.0
) -> Effect:
    return Effect(
        evidence_ids=tuple(map(str, places)),
        copies=tuple(tuple(map(str, each)) for each in copies),
        label="Leave",
        role=role,
        there=Spread(mean=0.1),
        away=Spread(mean=0.9),
        share=share,
    )


def cause(place: int, role: Role) -> Cause:
    return Cause(effect=place, role=role)


def sentence(
    effects: Sequence[Effect], *causes: Cause, enough: Sequence[tuple[int, ...]] = ()
) -> SentenceReport:
    said = SentenceCauses(text=SAID, causes=causes, enough=tuple(enough))
    found = Explanation(
        turn_id="1", effects=tuple(effects), sentences=(said,), verdict=AnswerVerdict.CAUSED
    )
    (printed,) = reported(CASE, SAID, found).sentences
    return printed


def test_what_is_needed_together_stands_in_needed_in_the_order_of_the_evidence() -> None:
    effects = [effect(2, role=Role.TOGETHER), effect(1, role=Role.TOGETHER)]
    found = sentence(effects, cause(0, Role.TOGETHER), cause(1, Role.TOGETHER))
    assert found == SentenceReport(SAID, needed=(7, "c"))


def test_each_alternative_is_a_list_of_its_own() -> None:
    effects = [effect(0, role=Role.ENOUGH), effect(3, role=Role.ENOUGH)]
    causes = cause(0, Role.ENOUGH), cause(1, Role.ENOUGH)
    found = sentence(effects, *causes, enough=[(0,), (1,)])
    assert found.enough == (("a",), ("d",))
    assert found.needed == ()


def test_copies_that_were_removed_together_are_alternatives_beside_what_is_needed() -> None:
    copies = effect(0, 2, role=Role.TOGETHER, copies=[(0,), (2,)])
    effects = [copies, effect(1, role=Role.TOGETHER)]
    found = sentence(effects, cause(0, Role.TOGETHER), cause(1, Role.TOGETHER))
    assert (found.needed, found.enough) == ((7,), (("a",), ("c",)))


def test_a_copy_in_an_alternative_is_an_alternative_too() -> None:
    effects = [effect(0, 2, role=Role.ENOUGH, copies=[(0,), (2,)]), effect(1, role=Role.ENOUGH)]
    causes = cause(0, Role.ENOUGH), cause(1, Role.ENOUGH)
    alternatives: tuple[Ids, ...] = (("a",), ("c",), (7,))
    assert sentence(effects, *causes, enough=[(0,), (1,)]).enough == alternatives


def test_shares_of_all_pieces_are_one_and_keys_are_those_of_json() -> None:
    effects = (
        effect(0, 1, role=Role.NEEDED, copies=[(0,), (1,)], share=0.5),
        effect(2, role=Role.PART, share=0.5),
        effect(3, role=Role.UNUSED),
    )
    found = Explanation(turn_id="1", effects=effects, verdict=AnswerVerdict.CAUSED)
    printed = json.loads(json.dumps(reported(CASE, SAID, found).as_json()))
    assert printed["shares"] == {"a": 0.25, "7": 0.25, "c": 0.5, "d": 0.0}
    assert printed["effects"] == dict.fromkeys(["a", "7", "c", "d"], 0.8)
    assert printed["unused"] == ["d"]
