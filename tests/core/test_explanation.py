"""What an explanation tells of its own tries."""

from __future__ import annotations

from core.attribution import Cause, Effect, Explanation, Role, SentenceCauses, Tries


def test_tries_of_an_effect_add_up_over_the_sentences_that_it_causes() -> None:
    first = Cause(effect=0, role=Role.NEEDED, with_it=Tries(of=8), without=Tries(lost=8, of=8))
    second = first.model_copy(update={"with_it": Tries(lost=1, of=8)})
    other = first.model_copy(update={"effect": 1})
    explanation = Explanation(
        turn_id="t1",
        effects=tuple(Effect(evidence_ids=(each,), label=each) for each in ("a", "b", "c")),
        sentences=(
            SentenceCauses(text="One.", causes=(first, other)),
            SentenceCauses(text="Two.", causes=(second,)),
        ),
    )
    assert explanation.tries_of(0) == (Tries(lost=1, of=16), Tries(lost=16, of=16))
    assert explanation.tries_of(2) == (Tries(), Tries())
