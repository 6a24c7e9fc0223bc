"""The check of an answer: what the pages do not say is found, what they say is left alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from wiki import hit, page, piece

from core.embeddings.bundled import Bundled
from core.models import Answer, Hit, Note, Source
from core.settings.values import OnUnsupported
from worker.support.check import MOST_PLACED, SAID, SupportCheck
from worker.support.decision import Decided, Support

TEXT = "A hotel in Porto costs up to 110 EUR a night. Business class is never paid."
TRAVEL = hit(piece(TEXT, "1"), page("1", "Travel policy"))
OTHER = hit(piece("Every gateway is backed up at 02:15 each night.", "2"), page("2", "Backups"))
HITS = [TRAVEL, OTHER]


@pytest.fixture(scope="module")
def check(embedder: Bundled) -> SupportCheck:
    return SupportCheck(embedder)


def reasons(check: SupportCheck, answer: str, hits: list[Hit] = HITS) -> list[str]:
    return [why.value for each in check.check(answer, hits).unsupported for why in each.reasons]


@pytest.mark.parametrize(
    "said",
    [
        "A hotel in Porto may cost at most 110 euros a night [1].",
        "Ein Hotel in Porto darf höchstens 110 € pro Nacht kosten [1].",
        "Business class is not paid, not ever [1].",
        "Here is how:\n\n- A hotel in Porto costs up to 110 EUR a night [1].",
        "Gateways are backed up at 2:15 am every night [2].",
        "```sh\nrm -r 999\n```",
    ],
)
def test_what_the_page_says_in_other_words_is_supported(check: SupportCheck, said: str) -> None:
    assert reasons(check, said) == []


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("A hotel in Porto costs up to 140 EUR a night [1].", "number"),
        ("Ein Hotel in Porto darf höchstens 140 € pro Nacht kosten [1].", "number"),
        ("A hotel in Porto costs up to 110 USD a night [1].", "unit"),
        ("A hotel in Porto costs at least 110 EUR a night [1].", "quantifier"),
        ("Business class is paid [1].", "negation"),
        ("The limit for hotels ended on 3 May 2024 [1].", "date"),
        ("Taxi drivers accept credit cards in most cities [1].", "content"),
        ("A hotel in Porto costs up to 110 EUR a night [2].", "number"),
    ],
)
def test_what_the_page_does_not_say_is_found(check: SupportCheck, said: str, reason: str) -> None:
    assert reason in reasons(check, said)


def test_a_citation_counts_for_the_sentences_before_it(check: SupportCheck) -> None:
    assert reasons(check, "Business class is never paid. A hotel costs 110 EUR [1].") == []


def test_a_supported_answer_is_never_changed(check: SupportCheck) -> None:
    source = Source(number=1, title="Travel policy", url="", evidence_ids=(TRAVEL.evidence.id,))
    answer = Answer(text="A hotel in Porto costs up to 110 EUR [1].", sources=(source,), model="m")
    assert Support(check).decided(answer, HITS) == Decided(answer, is_shown=True)


def test_an_unsupported_sentence_is_named_and_the_text_stays(check: SupportCheck) -> None:
    text = "A hotel in Porto costs up to 110 EUR a night. Business class is paid for 99 hours."
    answer = Answer(text=text, model="m")
    decided = Support(check).decided(answer, HITS)
    assert decided.is_shown
    assert (decided.answer.text, decided.answer.notes) == (text, (Note.UNSUPPORTED,))
    assert decided.answer.unsupported == ("Business class is paid for 99 hours.",)


def test_an_answer_that_begins_unsupported_is_not_shown(check: SupportCheck) -> None:
    answer = Answer(text="A hotel in Porto costs up to 999 EUR a night.", model="m")
    assert Support(check).decided(answer, HITS).is_shown is False


def test_by_a_setting_no_unsupported_sentence_is_shown(check: SupportCheck) -> None:
    text = "A hotel in Porto costs up to 110 EUR a night. Business class is paid for 99 hours."
    support = Support(check, OnUnsupported.EXCERPT)
    assert support.decided(Answer(text=text, model="m"), HITS).is_shown is False


class DecidedReader:
    """Says the same of every claim; `asked` has what it was asked."""

    def __init__(self, log_odds: float) -> None:
        self.asked: list[tuple[str, str]] = []
        self._log_odds = log_odds

    def read(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        self.asked += claims
        return [self._log_odds] * len(claims)


@pytest.fixture(scope="module")
def by_rules(embedder: Bundled) -> SupportCheck:
    return SupportCheck(embedder, lambda: DecidedReader(0))


RULES = hit(
    piece(
        "Private messengers are forbidden. Lane balancing is off by default. "
        "At most eight visitors may be in the room. Register guests before they arrive.",
        "3",
    ),
    page("3", "House rules"),
)


@pytest.mark.parametrize(
    "said",
    [
        "Private messengers are not allowed.",
        "Lane balancing is not enabled by default.",
        "Es dürfen höchstens acht Besucher im Zimmer sein.",
        "Guests are registered before they arrive.",
    ],
)
def test_an_opposite_denied_says_the_same(by_rules: SupportCheck, said: str) -> None:
    assert reasons(by_rules, said, [RULES]) == []


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Private messengers are allowed.", "negation"),
        ("Lane balancing is enabled by default.", "negation"),
        ("Mindestens acht Besucher dürfen im Zimmer sein.", "quantifier"),
        ("Register guests after they arrive.", "quantifier"),
    ],
)
def test_an_opposite_is_found(by_rules: SupportCheck, said: str, reason: str) -> None:
    assert reason in reasons(by_rules, said, [RULES])


@pytest.mark.parametrize(
    "said",
    [
        "Visitors do not walk in alone, their host meets them.",
        "Do not take the badge home, give it back in the evening.",
    ],
)
def test_a_denial_that_the_page_only_touches_is_left_alone(
    by_rules: SupportCheck, said: str
) -> None:
    text = (
        "Visitors get a badge at reception and are met by their host. "
        "The badge is given back at the desk in the evening."
    )
    assert reasons(by_rules, said, [hit(piece(text, "9"), page("9", "Visitors"))]) == []


ARCHIVE = hit(
    piece(
        "The archive is open from 13:00 to 16:00, on Fridays from 9:00. Invoices are paid within "
        "30 days. A copy is refunded within 48 hours (minus 10 for handling). S1 seats are blocked "
        "at Easter. Two no-shows in a year lead to a talk, the first has no consequence. Ask not "
        "earlier than 14 days before. Bikes are open to everyone after a short briefing. Nobody "
        "lets inspectors wait, nobody goes into the vault with them alone. The vault has cost "
        "1,500,000 EUR. A parcel weighs at most 30 kg.",
        "4",
    ),
    page("4", "Archive"),
)


@pytest.mark.parametrize(
    "said",
    [
        "The archive is open from 1 to 4 pm.",
        "The vault has cost 1.500.000 EUR.",
        "A parcel never weighs more than 30 kg.",
        "Rechnungen haben 30 Tage Zahlungsziel.",
        "A copy is refunded within 48 hours, minus €10 for handling.",
        "Die S1-Plätze sind an Ostern gesperrt.",
        "A first no-show has no consequence, a second one in a year leads to a talk.",
        "Ask between 14 days before and the day itself.",
        "Bikes are open to everyone, but only after a short briefing.",
        "Nobody lets inspectors wait, or goes into the vault with them alone.",
    ],
)
def test_what_is_said_in_quite_other_words_is_left_alone(by_rules: SupportCheck, said: str) -> None:
    assert set(reasons(by_rules, said, [ARCHIVE])) <= {"content"}


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("A copy is refunded within 48 hours, minus €12 for handling.", "number"),
        ("The archive has 13 rooms.", "number"),
        ("The archive has 540 rooms.", "unit"),
        ("A parcel weighs at least 30 kg.", "quantifier"),
        ("Die S2-Plätze sind an Ostern gesperrt.", "identifier"),
    ],
)
def test_the_same_with_an_error_is_found(by_rules: SupportCheck, said: str, reason: str) -> None:
    assert reason in reasons(by_rules, said, [ARCHIVE])


def test_a_citation_of_any_length_is_read(check: SupportCheck) -> None:
    assert len(check.check(f"It is 5 km [{'9' * 5000}].", HITS).claims) == 1


@pytest.mark.parametrize(
    ("said", "log_odds", "found"),
    [
        ("Porto hotels are 140 EUR [1].", SAID, ["number"]),
        ("Business class is paid [1].", SAID, []),
        ("Business class is paid [1].", 0, ["negation"]),
        ("A hotel in Porto costs at least 110 EUR a night [1].", SAID, ["quantifier"]),
        ("Porto hotels are 110 EUR [1].", 0, []),
    ],
)
def test_the_reader_overrules_doubts_and_nothing_else(
    embedder: Bundled, said: str, log_odds: float, found: list[str]
) -> None:
    reader = DecidedReader(log_odds)
    assert reasons(SupportCheck(embedder, lambda: reader), said) == found


def test_the_reader_reads_what_is_doubted_beside_what_lies_nearest(embedder: Bundled) -> None:
    reader = DecidedReader(0)
    check = SupportCheck(embedder, lambda: reader)
    check.check("A hotel in Porto costs up to 110 EUR a night. Business class is paid [1].", HITS)
    ((claim, passage),) = reader.asked
    assert claim == "Business class is paid."
    assert passage.startswith("Travel policy.")


def test_the_reader_is_not_loaded_where_nothing_is_doubted(embedder: Bundled) -> None:
    def load() -> DecidedReader:
        raise AssertionError

    check = SupportCheck(embedder, load)
    assert check.check("Which one do you mean?", HITS).claims == ()
    assert check.check("Business class is never paid.", HITS).unsupported == ()


def test_where_there_is_no_page_nothing_is_supported(embedder: Bundled) -> None:
    check = SupportCheck(embedder, lambda: DecidedReader(9.0))
    assert reasons(check, "Business class is never paid.", []) == ["content"]
    assert not check.stands_on("Business class is never paid.", [])


def test_of_many_facts_each_is_looked_for(embedder: Bundled) -> None:
    numbers = ", ".join(str(number) for number in range(20, 20 + 4 * MOST_PLACED))
    lanes = [hit(piece(f"Lanes {numbers} are open.", "1"), page("1", "Lanes"))]
    check = SupportCheck(embedder, lambda: DecidedReader(0))
    assert reasons(check, f"Lanes {numbers} are open.", lanes) == []
    assert reasons(check, f"Lanes {numbers}, 999 are open.", lanes) == ["number"]
