"""What the grammar of a language holds for filters: the tables below `[filters]`."""

from __future__ import annotations

from core.grammar.words import GrammarTable, Listed, Words


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
