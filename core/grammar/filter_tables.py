"""What the grammar of a language holds for filters: the tables below `[filters]`."""

from __future__ import annotations

from core.grammar.words import GrammarTable, Listed


class OfTime(GrammarTable):
    after: Listed
    since: Listed
    before: Listed
    until: Listed
    within: Listed
    the: Listed
    between: Listed
    and_until: Listed
    over_the_last: Listed
    newer: Listed
    older: Listed
    ago: Listed
    starting: Listed
    onwards: Listed
    meeting: Listed
    than: Listed
    are: Listed
    also: Listed
    news: Listed
    news_behind: Listed
    what_was: Listed
    written: Listed
    written_behind: Listed


class OfPeople(GrammarTable):
    by: Listed
    from_or_by: Listed
    owned: Listed
    what_written: Listed
    genitive: Listed
    own: Listed
    wrote: Listed
    what_did: Listed
    which: Listed
    did: Listed
    write: Listed
    written_behind: Listed


class OfPlaces(GrammarTable):
    the: Listed
    the_title: Listed
    page: Listed
    on: Listed
    inside: Listed
    titled: Listed
    wiki: Listed
    space: Listed
    before_key: Listed
    staff: Listed


class OfLabels(GrammarTable):
    with_label: Listed
    labels: Listed
    labelled: Listed
    as_label: Listed
    label: Listed


class FilterWords(GrammarTable):
    pages: Listed
    pages_are: Listed
    things_are: Listed
    made_behind: Listed
    directs: Listed
    made_before_pages: Listed
    auxiliary: Listed
    that: Listed
    which: Listed
    either: Listed
    elsewhere: Listed
    cues: Listed
    time: OfTime
    people: OfPeople
    places: OfPlaces
    labels: OfLabels
