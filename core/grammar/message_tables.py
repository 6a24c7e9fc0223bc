"""The tables of a language's grammar about messages: dialogue acts, and support of an answer."""

from __future__ import annotations

from collections.abc import Mapping

from core.grammar.words import GrammarTable, Listed


class DialogueWords(GrammarTable):
    """By which a message is known that asks nothing, or asks somebody else."""

    thanks: Listed
    praise: Listed
    greetings: Listed
    complaints: Listed
    assents: Listed
    talk: Listed
    proposes: Listed
    around: Listed
    please: Listed
    bot: Listed
    everybody: Listed
    points_up: Listed
    begins: Listed
    requests: Listed
    announces: Listed
    goes_on: Listed
    meant: Listed
    about_bot: Listed
    you: Listed


class SupportWords(GrammarTable):
    """What is compared when a sentence is checked against the pages that it cites.

    Numbers by their value, units by their sign, quantifiers and limits by what they say.
    """

    numbers: Mapping[int, Listed]
    parts_of_an_hour: Mapping[int, Listed]
    multiples: Mapping[int, Listed]
    units: Mapping[str, Listed]
    clock: Listed
    afternoon: Listed
    forenoon: Listed
    ranges: Listed
    per: Listed
    clauses: Listed
    negations: Listed
    nobody: Listed
    implied_negations: Listed
    bounds: Listed
    affirming: Mapping[str, Listed]
    denying: Mapping[str, Listed]
    conditions: Listed
    resuming: Listed
    quantifiers: Mapping[str, Listed]
    framing: Listed
    claims_nothing: Listed
