"""What the grammar of a language holds: the tables and keys of `languages/*.toml`.

The comments in `languages/en.toml` say what each is for.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.grammar.composing_tables import Composing
from core.grammar.filter_tables import FilterWords
from core.grammar.message_tables import DialogueWords, SupportWords
from core.grammar.row_tables import RowWords
from core.grammar.words import GrammarTable, Listed, Rewriting


class StopWords(GrammarTable):
    language: Listed
    search: Listed


class Months(GrammarTable):
    """By number; the first of the names is the whole name."""

    names: Mapping[int, Listed]
    on_pages: Mapping[int, Listed]
    with_capital: Listed


class Dates(GrammarTable):
    ordinals: Listed
    before_ordinals: Listed
    of: Listed
    weekdays: Listed
    last: Listed
    this_or_last: Listed
    weeks: Listed
    days: Listed
    numbers: Listed
    units: Listed
    known_as: tuple[Rewriting, ...]


class Negation(GrammarTable):
    words: Listed
    of_verbs: Listed
    of_filters: Listed


class Kinds(GrammarTable):
    """Patterns of the kinds of questions."""

    certainly_confirmation: Listed
    hypothetical: Listed
    cause: Listed
    comparison: Listed
    procedure: Listed
    list: Listed
    factoid: Listed
    confirmation: Listed


class Asking(GrammarTable):
    verbs: Listed
    words: Listed
    openings: Listed
    courtesies: Listed
    another_topic: Listed
    abbreviations: Listed
    stands_for: Listed
    stands_for_places: Listed
    only_a_case: Listed
    judging: Listed
    i_meant: Listed
    not_but: Listed
    around_a_word: Listed
    and_asks: Listed
    siblings: Listed
    kinds: Kinds


class StatusWords(GrammarTable):
    states: Listed
    alone: Listed
    in_brackets: Listed
    because: Listed
    copies: Listed
    copies_of: Listed
    mine: Listed
    capitals: Listed
    labels: Listed
    in_status: Listed
    status_labels: Listed
    page_labels: Listed
    boxes: Listed
    between: Listed
    says_of: Listed
    notices: Listed


class AnswerWords(GrammarTable):
    yes: Listed
    no: Listed
    signs: Listed
    causes: Listed
    cause_headings: Listed
    conditions: Listed
    points_back: Listed
    turns_against: Listed
    bylines: Listed
    over_all_rows: Listed
    asks_what: Listed
    summaries: Listed
    in_year: Listed
    not_of_a_year: Listed


class Replies(GrammarTable):
    citations: Listed
    evidence: Listed
    see: Listed
    source_lists: Listed
    and_citation: Listed
    not_answered: Listed
    answers_else: Listed
    of_evidence: Listed
    finds_nothing: Listed
    evidence_lacks: Listed
    cannot_answer: Listed
    question_open: Listed


class OrganizationUnit(GrammarTable):
    plural: str
    size: int = 4  # where the others are in between
    means: str = ""


class Organization(GrammarTable):
    connectors: Listed
    endings: Listed
    compounded: Listed
    sub_pages: Listed
    which: Listed
    place: Listed
    below: Listed
    belonging: Listed
    people: Listed
    lead: Listed
    member: Listed
    deputy: Listed
    follows: Listed
    before_names: Listed
    signs_of_capitals: Listed
    units: Mapping[str, OrganizationUnit]
    roles: Mapping[str, Listed]


class Drafting(GrammarTable):
    name_columns: Listed
    role_columns: Listed
    between_people: Listed
    nobody: Listed
    about: Listed
    events: Listed


class HeadingWords(GrammarTable):
    steps: Listed
    tells_nothing: Listed
    how_to: Listed
    applies: Listed
    asks: Listed
    instructions: Listed
    instructions_before: Listed
    objects: Listed
    infinitives: Listed
    people: Listed
    properties: Listed
    prepositions: Listed
    inside_columns: Listed
    counted: Listed


class Grammar(GrammarTable):
    """One language, or all of them."""

    name: str
    nouns_have_capitals: bool = False
    stop_words: StopWords
    months: Months
    dates: Dates
    negation: Negation
    question: Asking
    filters: FilterWords
    page_status: StatusWords
    answers: AnswerWords
    composing: Composing
    rows: RowWords
    replies: Replies
    support: SupportWords
    organization: Organization
    headings: HeadingWords
    dialogue: DialogueWords
    drafting: Drafting
