"""What the grammar of a language holds: the tables and keys of `languages/*.toml`.

The comments in `languages/en.toml` say what each is for.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.grammar.filter_tables import FilterWords
from core.grammar.words import GrammarTable, Listed, Rewriting, Words


class StopWords(GrammarTable):
    language: Listed = Words()
    search: Listed = Words()


class Months(GrammarTable):
    """By number; the first of the names is the whole name."""

    names: Mapping[int, Listed] = {}
    on_pages: Mapping[int, Listed] = {}
    with_capital: Listed = Words()


class Dates(GrammarTable):
    ordinals: Listed = Words()
    of: Listed = Words()
    weekdays: Listed = Words()
    last: Listed = Words()
    this_or_last: Listed = Words()
    weeks: Listed = Words()
    days: Listed = Words()
    numbers: Listed = Words()
    units: Listed = Words()
    known_as: tuple[Rewriting, ...] = ()


class Negation(GrammarTable):
    words: Listed = Words()
    of_verbs: Listed = Words()
    of_filters: Listed = Words()


class Kinds(GrammarTable):
    """Patterns of the kinds of questions."""

    certainly_confirmation: Listed = Words()
    hypothetical: Listed = Words()
    cause: Listed = Words()
    comparison: Listed = Words()
    procedure: Listed = Words()
    list: Listed = Words()
    factoid: Listed = Words()
    confirmation: Listed = Words()


class Asking(GrammarTable):
    verbs: Listed = Words()
    words: Listed = Words()
    openings: Listed = Words()
    courtesies: Listed = Words()
    another_topic: Listed = Words()
    kinds: Kinds = Kinds()


class PageStatus(GrammarTable):
    states: Listed = Words()
    alone: Listed = Words()
    in_brackets: Listed = Words()
    because: Listed = Words()
    copies: Listed = Words()
    copies_of: Listed = Words()
    mine: Listed = Words()
    capitals: Listed = Words()
    labels: Listed = Words()


class AnswerWords(GrammarTable):
    yes: Listed = Words()
    no: Listed = Words()
    signs: Listed = Words()
    causes: Listed = Words()
    cause_headings: Listed = Words()
    conditions: Listed = Words()
    points_back: Listed = Words()
    over_all_rows: Listed = Words()


class Replies(GrammarTable):
    citations: Listed = Words()
    and_citation: Listed = Words()
    not_answered: Listed = Words()


class OrganizationUnit(GrammarTable):
    plural: str
    size: int = 4  # where the others are in between
    means: str = ""


class Organization(GrammarTable):
    connectors: Listed = Words()
    endings: Listed = Words()
    compounded: Listed = Words()
    sub_pages: Listed = Words()
    which: Listed = Words()
    place: Listed = Words()
    below: Listed = Words()
    belonging: Listed = Words()
    people: Listed = Words()
    lead: Listed = Words()
    member: Listed = Words()
    deputy: Listed = Words()
    follows: Listed = Words()
    before_names: Listed = Words()
    signs_of_capitals: Listed = Words()
    units: Mapping[str, OrganizationUnit] = {}
    roles: Mapping[str, Listed] = {}


class Drafting(GrammarTable):
    name_columns: Listed = Words()
    role_columns: Listed = Words()
    between_people: Listed = Words()
    nobody: Listed = Words()
    about: Listed = Words()
    events: Listed = Words()


class HeadingWords(GrammarTable):
    steps: Listed = Words()
    tells_nothing: Listed = Words()
    how_to: Listed = Words()
    applies: Listed = Words()
    asks: Listed = Words()
    instructions: Listed = Words()
    instructions_before: Listed = Words()
    objects: Listed = Words()
    infinitives: Listed = Words()
    people: Listed = Words()
    properties: Listed = Words()
    prepositions: Listed = Words()
    inside_columns: Listed = Words()


class Grammar(GrammarTable):
    """One language, or all of them."""

    name: str
    nouns_have_capitals: bool = False
    stop_words: StopWords = StopWords()
    months: Months = Months()
    dates: Dates = Dates()
    negation: Negation = Negation()
    question: Asking = Asking()
    filters: FilterWords = FilterWords()
    page_status: PageStatus = PageStatus()
    answers: AnswerWords = AnswerWords()
    replies: Replies = Replies()
    organization: Organization = Organization()
    headings: HeadingWords = HeadingWords()
    drafting: Drafting = Drafting()
