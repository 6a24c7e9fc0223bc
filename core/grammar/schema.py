"""What the grammar of a language holds: the tables and keys of `languages/*.toml`.

The comments in `languages/en.toml` say what each is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainValidator

from core.grammar.words import Words, read_pattern, read_words

Listed = Annotated[Words, PlainValidator(read_words)]
Rewriting = tuple[Annotated[str, AfterValidator(read_pattern)], str]  # a pattern, what instead


class GrammarTable(BaseModel):
    """A table of the file; a key that nobody reads is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


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


class OfTime(GrammarTable):
    after: Listed = Words()
    since: Listed = Words()
    before: Listed = Words()
    until: Listed = Words()
    within: Listed = Words()
    the: Listed = Words()
    between: Listed = Words()
    and_until: Listed = Words()
    over_the_last: Listed = Words()
    newer: Listed = Words()
    older: Listed = Words()
    ago: Listed = Words()
    starting: Listed = Words()
    onwards: Listed = Words()
    meeting: Listed = Words()
    than: Listed = Words()
    are: Listed = Words()
    also: Listed = Words()
    news: Listed = Words()
    news_behind: Listed = Words()
    what_was: Listed = Words()
    written: Listed = Words()
    written_behind: Listed = Words()


class OfPeople(GrammarTable):
    by: Listed = Words()
    from_or_by: Listed = Words()
    owned: Listed = Words()
    what_written: Listed = Words()
    genitive: Listed = Words()
    own: Listed = Words()
    wrote: Listed = Words()
    what_did: Listed = Words()
    which: Listed = Words()
    did: Listed = Words()
    write: Listed = Words()
    written_behind: Listed = Words()


class OfPlaces(GrammarTable):
    the: Listed = Words()
    the_title: Listed = Words()
    page: Listed = Words()
    on: Listed = Words()
    inside: Listed = Words()
    titled: Listed = Words()
    wiki: Listed = Words()
    space: Listed = Words()
    before_key: Listed = Words()
    staff: Listed = Words()


class OfLabels(GrammarTable):
    with_label: Listed = Words()
    labels: Listed = Words()
    labelled: Listed = Words()
    as_label: Listed = Words()
    label: Listed = Words()


class FilterWords(GrammarTable):
    pages: Listed = Words()
    pages_are: Listed = Words()
    things_are: Listed = Words()
    made_behind: Listed = Words()
    made_before_pages: Listed = Words()
    auxiliary: Listed = Words()
    that: Listed = Words()
    which: Listed = Words()
    either: Listed = Words()
    elsewhere: Listed = Words()
    cues: Listed = Words()
    time: OfTime = OfTime()
    people: OfPeople = OfPeople()
    places: OfPlaces = OfPlaces()
    labels: OfLabels = OfLabels()


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
    drafting: Drafting = Drafting()
