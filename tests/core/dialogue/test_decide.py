"""Dialogue acts by rules: whom a message is for, and what becomes of it."""

from __future__ import annotations

import pytest

from core.dialogue.decide import decide, depends_on_others
from core.dialogue.decision import Attention, DialogueAct, Outcome
from core.dialogue.likely import Meaning
from core.dialogue.message import Line, Message, Place

ANSWERED = (Line("Ana", "how much may a hotel cost?"), Line("bot", "110 EUR", by_bot=True))
A_PERSON_SPOKE = (*ANSWERED, Line("Ben", "better ask Carla about that"))
OPEN = (Line("Lea", "wie komme ich ins vpn?"), Line("Max", "keine Ahnung"))


def in_thread(text: str, before: tuple[Line, ...] = ANSWERED, who: str = "Ana") -> Message:
    return Message(text, who, Place.THREAD, before=before)


def mentioned(text: str, before: tuple[Line, ...] = ()) -> Message:
    return Message(text, "Max", Place.THREAD, mentions_bot=True, before=before)


def direct(text: str) -> Message:
    return Message(text, "Ana", Place.DM)


@pytest.mark.parametrize(
    ("text", "after_the_bot", "after_a_person"),
    [
        ("thanks!", Outcome.BRIEF, Outcome.SILENT),
        ("thnaks", Outcome.BRIEF, Outcome.SILENT),
        ("Daaanke dir, super", Outcome.BRIEF, Outcome.SILENT),
        ("is that more than in Porto", Outcome.ANSWER, Outcome.ANSWER),
        ("and the tank in Porto", Outcome.ANSWER, Outcome.ANSWER),
        ("who is the dane on call", Outcome.ANSWER, Outcome.SILENT),
        ("tanks a lot", Outcome.BRIEF, Outcome.SILENT),
        ("that's wrong", Outcome.BRIEF, Outcome.SILENT),
        ("das stimmt nicht", Outcome.BRIEF, Outcome.SILENT),
        ("why?", Outcome.ANSWER, Outcome.SILENT),
        ("und in Lissabon", Outcome.ANSWER, Outcome.ANSWER),
        ("nein, ich meinte das Büro in Porto", Outcome.ANSWER, Outcome.ANSWER),
        ("what is the hotel limit in Madrid", Outcome.ANSWER, Outcome.ANSWER),
        ("wie reiche ich die Rechnung ein", Outcome.ANSWER, Outcome.ANSWER),
        ("ok", Outcome.SILENT, Outcome.SILENT),
        ("good to know", Outcome.SILENT, Outcome.SILENT),
        ("I'll book one tomorrow", Outcome.SILENT, Outcome.SILENT),
        ("will be done tomorrow", Outcome.SILENT, Outcome.SILENT),
        ("who of you is coming along?", Outcome.SILENT, Outcome.SILENT),
        ("Ben, did you book it?", Outcome.SILENT, Outcome.SILENT),
        ("<@U0BEN> is that so?", Outcome.SILENT, Outcome.SILENT),
        ("thanks <@U0BEN>", Outcome.SILENT, Outcome.SILENT),
        ("Ben can you check", Outcome.SILENT, Outcome.SILENT),
        ("shall we talk about it tomorrow?", Outcome.SILENT, Outcome.SILENT),
        ("wollen wir morgen drüber reden?", Outcome.SILENT, Outcome.SILENT),
        ("thanks, I will book it", Outcome.BRIEF, Outcome.SILENT),
        ("found it, danke", Outcome.BRIEF, Outcome.SILENT),
        ("not Porto, Lisbon", Outcome.ANSWER, Outcome.ANSWER),
        ("more details please", Outcome.ANSWER, Outcome.ANSWER),
        ("well done", Outcome.BRIEF, Outcome.SILENT),
        # To everybody: to the bot, too, where nobody else has said a word.
        ("Hallo zusammen, wer gibt mir den Ausweis aus?", Outcome.ANSWER, Outcome.SILENT),
        ("Hi everybody\nwhere do I get the badge?", Outcome.ANSWER, Outcome.SILENT),
        ("Hi all, who is joining for lunch?", Outcome.ANSWER, Outcome.SILENT),
        ("where do I get the badge?\n\nBest,\nAna", Outcome.ANSWER, Outcome.SILENT),  # signs
        ("https://wiki.example/x", Outcome.SILENT, Outcome.SILENT),
        ("🎉", Outcome.SILENT, Outcome.SILENT),
    ],
)
def test_who_spoke_last_and_whom_it_names_say_whether_a_reply_is_for_the_bot(
    text: str, after_the_bot: Outcome, after_a_person: Outcome
) -> None:
    assert decide(in_thread(text)).outcome is after_the_bot
    assert decide(in_thread(text, A_PERSON_SPOKE)).outcome is after_a_person


@pytest.mark.parametrize(
    "text",
    [
        "the travel form shows an error",
        "do you have parking",
        "Spesen",
        "17 * 23",
        "Parental leave",
        "best practices",
        "works council",
    ],
)
def test_in_doubt_a_direct_message_is_answered(text: str) -> None:
    assert decide(direct(text)).outcome is Outcome.ANSWER


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("hi", DialogueAct.GREETING),
        ("Guten Morgen", DialogueAct.GREETING),
        ("what can you do?", DialogueAct.ABOUT_BOT),
        ("bist du ein Mensch?", DialogueAct.ABOUT_BOT),
        ("you are useless", DialogueAct.COMPLAINT),
        ("good bot", DialogueAct.THANKS),
        ("spot on!", DialogueAct.THANKS),
        ("hola", DialogueAct.GREETING),
    ],
)
def test_what_asks_nothing_of_the_pages_gets_a_short_reply(text: str, act: DialogueAct) -> None:
    decision = decide(direct(text))
    assert (decision.outcome, decision.act) == (Outcome.BRIEF, act)
    assert decision.sentence


@pytest.mark.parametrize(
    "text", ["thanks! and in Porto?", "hallo, and in Porto?", "ok, and in Porto?"]
)
def test_a_question_is_searched_without_the_courtesies_before_it(text: str) -> None:
    assert decide(in_thread(text)).question == "and in Porto?"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "can you answer this?",
        "help us out please",
        "please look this up",
        "weißt du das?",
        "any idea?",
        "was meinst du dazu",
        "guck mal nach bitte",
    ],
)
def test_a_request_for_what_stands_above_asks_the_nearest_question(text: str) -> None:
    decision = decide(mentioned(text, OPEN))
    assert (decision.act, decision.question) == (DialogueAct.ABOVE, "wie komme ich ins vpn?")
    assert decide(mentioned(text)).outcome is Outcome.CLARIFY


def test_without_a_mention_nothing_outside_our_threads_is_for_the_bot() -> None:
    message = Message("who approves travel requests?", "Ana", Place.CHANNEL)
    assert decide(message).outcome is Outcome.SILENT


@pytest.mark.parametrize(
    "text", ["did that work for you?", "want me to do it?", "kannst du morgen kommen?"]
)
def test_whom_the_bot_has_not_answered_speaks_to_people_with_you(text: str) -> None:
    assert decide(in_thread(text, who="Ben")).outcome is Outcome.SILENT


def test_emoji_alone_are_no_question_anywhere() -> None:
    assert decide(direct("👍🏽")).outcome is Outcome.SILENT
    assert decide(mentioned(":tada:")).outcome is Outcome.SILENT


def test_a_text_that_is_too_long_for_a_question_is_left_whole() -> None:
    text = "why? " * 1000
    assert decide(direct(text)).question == text
    assert decide(in_thread(text)).outcome is Outcome.SILENT


def test_a_channel_may_want_a_mention_or_have_doubts_answered() -> None:
    surely, perhaps = in_thread("and in Porto?"), in_thread("where does she sit", A_PERSON_SPOKE)
    wanted = {
        Attention.MENTION: (Outcome.SILENT, Outcome.SILENT),
        Attention.SURE: (Outcome.ANSWER, Outcome.SILENT),
        Attention.ANY: (Outcome.ANSWER, Outcome.ANSWER),
    }
    for attention, outcomes in wanted.items():
        found = (decide(surely, attention).outcome, decide(perhaps, attention).outcome)
        assert found == outcomes


@pytest.mark.parametrize(
    ("text", "depends"),
    [("thanks!", True), ("why?", True), ("how long is a shift on call?", False), ("lol", False)],
)
def test_what_others_have_said_is_wanted_only_where_it_could_change_the_decision(
    text: str, depends: bool
) -> None:
    assert depends_on_others(in_thread(text)) is depends


@pytest.mark.parametrize(
    ("meant", "outcome"),
    [
        (Meaning.ASK, Outcome.ANSWER),
        (Meaning.FRAGMENT, Outcome.CLARIFY),
        (Meaning.THANKS, Outcome.BRIEF),
        (Meaning.TALK, Outcome.SILENT),
    ],
)
@pytest.mark.parametrize("message", [in_thread("then Ben it is"), direct("the phone again")])
def test_who_knows_better_is_believed_instead_of_the_reader(
    message: Message, meant: Meaning, outcome: Outcome
) -> None:
    assert decide(message, meant=meant).outcome is outcome


@pytest.mark.parametrize("text", ["<@U0BEN> is that so?", "thanks!", "and in May?"])
def test_rules_come_before_who_knows_better(text: str) -> None:
    asked = in_thread(text)
    assert decide(asked, meant=Meaning.GREETING) == decide(asked)
    assert not decide(asked).is_unsure


def test_what_the_reader_guesses_it_is_unsure_of() -> None:
    assert decide(in_thread("my pager is dead")).is_unsure
    assert not decide(direct("how long is parental leave in Porto?")).is_unsure
