"""What a long message asks, and what it tells beside that."""

from __future__ import annotations

import pytest

from worker.question.asked_part import LONG, AskedPart, asked_part

TOLD = (
    "I am flying to Porto on Monday with two colleagues, and my manager asked me this morning to "
    "book something for the three of us."
)
CHAT = "I have looked around in the wiki for an hour and found nothing that helps me with it."


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (f"Hi all! {TOLD} How much may a hotel cost?", "How much may a hotel cost?"),
        (f"How much may a hotel cost? {TOLD} Thanks!", "How much may a hotel cost?"),
        (f"{TOLD}\nhow much may a hotel cost per night", "how much may a hotel cost per night"),
        (
            f"{TOLD} How much may a hotel cost? And who books the train tickets?",
            "How much may a hotel cost? And who books the train tickets?",
        ),
        (
            "Hallo zusammen, ich bin neu hier und richte gerade meinen Arbeitsplatz ein, das "
            "meiste läuft schon, nur der Zugang fehlt. Wer gibt mir den Ausweis aus? Danke euch!",
            "Wer gibt mir den Ausweis aus?",
        ),
    ],
)
def test_the_sentences_that_ask_are_what_is_asked(message: str, asked: str) -> None:
    assert asked_part(message).asked == asked


def test_what_is_told_beside_it_is_kept_but_for_courtesies() -> None:
    assert asked_part(f"Hi all! {TOLD} How much may a hotel cost? Thanks!") == AskedPart(
        "How much may a hotel cost?", TOLD
    )


def test_a_question_that_says_too_little_keeps_the_sentence_before_it() -> None:
    stolen = "My laptop was stolen on the train this morning."
    found = asked_part(f"{CHAT} {stolen} What do I have to do now?")
    assert found == AskedPart(f"{stolen} What do I have to do now?", CHAT)
    after = asked_part(f"What now? {stolen} {CHAT}")
    assert after == AskedPart(f"What now? {stolen}", CHAT)


@pytest.mark.parametrize(
    "judging", ["Fine?", "Who is right?", "Too late?", "Wer hat recht?", "how much can i get back?"]
)
def test_what_is_judged_stands_in_the_sentence_before(judging: str) -> None:
    case = "My manager says that a visa is needed and I say that it is not."
    assert asked_part(f"{CHAT} {case} {judging}") == AskedPart(f"{case} {judging}", CHAT)
    assert asked_part(f"A guest is 17. {judging}").alone == ""


def test_a_question_of_one_word_that_names_a_thing_is_whole() -> None:
    for asked in ("What is Jobrad?", "Where is the printer?", "who is on call?"):
        assert asked_part(f"{TOLD} {CHAT} {asked}").asked == asked


@pytest.mark.parametrize(
    "message",
    [
        "Hi! I lost my badge. What now?",  # short
        f"{TOLD} {CHAT}",  # nothing asks
        "how much may a hotel cost " * LONG,  # one sentence
        "What now? Who? Why so? And then? " * 8,  # all of it asks
        "",
    ],
)
def test_else_the_message_is_asked_as_it_stands(message: str) -> None:
    assert asked_part(message) == AskedPart(message.strip())


def test_all_that_is_told_is_one_text_however_many_lines_it_has() -> None:
    log = "\n".join(f"line {number} of a log that somebody pastes" for number in range(200))
    found = asked_part(f"Our gateway writes this:\n{log}\nWhy does the gateway restart?")
    assert found.asked == "Why does the gateway restart?"
    assert found.told.count("of a log") == 200


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (
            "Hallo zusammen\nich bin neu hier und richte gerade meinen Arbeitsplatz ein\n"
            "das meiste läuft schon, nur der Zugang zum Gebäude fehlt mir noch\n"
            "wer gibt mir den Ausweis aus\ndanke euch",
            "wer gibt mir den Ausweis aus",
        ),
        (
            f"> {TOLD}\n> Who pays?\nI do not understand this mail\nHow do I get a parking space?",
            "How do I get a parking space?",
        ),
        (
            f"How is a week on call paid?\n> When do I hand in my receipts?\n> {TOLD}\n{CHAT}",
            "How is a week on call paid?",
        ),
        (
            f"How do I roll back?\n\n```\nERROR is it expired?\n\nERROR stopped {TOLD}\n",
            "How do I roll back?",
        ),
        (
            f"please tell me how a week on call is paid. {TOLD} Right?",
            "please tell me how a week on call is paid. Right?",
        ),
        (  # a line that some program broke goes on
            f"{TOLD} How much may the hotel for the three of us in Porto\ncost per night?",
            "How much may the hotel for the three of us in Porto cost per night?",
        ),
        (  # a list belongs to what announces it
            f"{TOLD}\nWhat is the limit per night for:\n- Porto\n- Kassel\nThanks a lot",
            "What is the limit per night for: - Porto - Kassel",
        ),
        (
            f"{TOLD}\nOn the display there was:\n- error E42\n- belt stopped\nWhat do I do first?",
            "What do I do first?",
        ),
        (
            f"{TOLD} My questions:\n1. How much may it cost?\n2. Who approves it?",
            "1. How much may it cost? 2. Who approves it?",
        ),
    ],
)
def test_sentences_end_with_their_lines(message: str, asked: str) -> None:
    assert asked_part(message).asked == asked


def test_dates_and_abbreviations_end_no_sentence() -> None:
    message = f"{CHAT} {CHAT} What changes on 15. May for hotels, e.g. in Porto, for our trainees?"
    assert asked_part(message).asked.startswith("What changes on 15. May for hotels, e.g. in Porto")


ASKED = "Which hotels may I book in Porto?"


@pytest.mark.parametrize(
    "asked",
    [
        "Which hotels, flights etc. may I book in Porto?",
        "Welche Hotels, Flüge usw. darf ich in Porto buchen?",
        "Genehmigt meinen Urlaub die Leiterin Frau Dr. Weber?",
        "Who approves it (cf. no. 7)?",
        "How much may a hotel cost, z. B. in Wien?",
    ],
)
def test_an_abbreviation_ends_no_sentence(asked: str) -> None:
    assert asked_part(f"{TOLD} {asked} {CHAT}") == AskedPart(asked, f"{TOLD} {CHAT}")


def test_a_year_ends_a_sentence() -> None:
    assert asked_part(f"{TOLD} I came in 2024. {ASKED}").told.endswith("I came in 2024.")


@pytest.mark.parametrize(
    "asked",
    [
        f"*{ASKED}*",
        f"_{ASKED}_",
        f'"{ASKED}"',
        f"{ASKED}:slightly_smiling_face:",
        f"{ASKED} 🙂",
        f"{ASKED}?!",
        f"{ASKED}...",
        "Which hotels may I book in Porto？",
    ],
)
def test_a_question_mark_counts_under_marks_of_slack(asked: str) -> None:
    assert asked_part(f"{asked} {TOLD}") == AskedPart(asked, TOLD)


@pytest.mark.parametrize("empty", ["Can you help me?", "You know what?", "Hi, how are you?"])
def test_a_question_that_asks_for_nothing_leaves_it_to_the_words_that_ask(empty: str) -> None:
    request = "Please tell me how much a hotel in Porto may cost."
    assert asked_part(f"{empty} {TOLD} {request}").asked == f"{empty} {request}"
    assert asked_part(f"{TOLD} {request} {empty}").asked == f"{request} {empty}"


def test_what_is_pasted_asks_nothing() -> None:
    code, quote = "```\nif x ? y : z;\nretry?\n```", "> is it the gateway?"
    for pasted in (code, quote):
        found = asked_part(f"{TOLD}\n{pasted}\n{CHAT} How do I restore the gateway?")
        assert found.asked == "How do I restore the gateway?"
    assert asked_part("`") == AskedPart("`")
