"""Abstention is recognized however models word it; an answer is never taken for one."""

from __future__ import annotations

import pytest
from wiki import HOTEL, LEAVE, hit

from worker.generation.abstention import NOT_FOUND, TranslatedStream, is_unanswered

HITS = [hit(LEAVE), hit(HOTEL)]
BARE = NOT_FOUND.rstrip(".")


@pytest.mark.parametrize(
    "reply",
    [
        NOT_FOUND,
        BARE,
        NOT_FOUND.lower(),
        f"“{NOT_FOUND}”",
        f'"{NOT_FOUND}"',
        f"**{NOT_FOUND}**",
        f"> *{BARE}*.",
        f"`{NOT_FOUND}`",
        f"{BARE}!",
        f"{NOT_FOUND} [1]",
        f"{BARE} [1][2].",
        f"{NOT_FOUND}\n\nHowever, the leave policy [1] may help.",
        f"I am sorry. {NOT_FOUND}",
        f"Nothing [7] fits.\n{NOT_FOUND}",
        "The pages that I can read don't answer this question.",
        "The pages I can read cannot answer your question.",
        "Die Seiten, die ich lesen kann, beantworten das nicht.",
        "Die Seiten, die ich lesen kann, beantworten diese Frage leider nicht.",
    ],
)
def test_the_sentence_is_found_in_every_dress(reply: str) -> None:
    assert is_unanswered(reply, HITS)


@pytest.mark.parametrize(
    "reply",
    [
        "A hotel in Porto costs up to 110 EUR [2].",
        f"A hotel in Porto costs up to 110 EUR [2]. {NOT_FOUND}",
        "The pages I can read do not answer this for Lisbon, "
        "but a hotel in Porto costs up to 110 EUR [2].",
        "Die Seiten, die ich lesen kann, beantworten das nicht für Lissabon; "
        "in Porto sind es 110 EUR [2].",
        "The pages answer this [1].",
    ],
)
def test_an_answer_to_part_of_the_question_is_an_answer(reply: str) -> None:
    assert not is_unanswered(reply, HITS)


@pytest.mark.parametrize(
    "reply",
    [
        "The provided evidence does not contain information about parking.",
        "I'm sorry, but the pages don't mention who is on call.",
        "No. The evidence does not answer this question.",
        "There is no information in the provided documents about parking.",
        "I cannot answer this question based on the provided evidence.",
        "Sorry! The price is not specified in the provided context.",
        "The information provided does not specify the price. Please ask your manager.",
        "Based on the evidence, there is no mention of parking.",
        "I don't have enough information to answer that.",
        "The context doesn't say.",
        "Die bereitgestellten Seiten enthalten keine Informationen zu Parkplätzen.",
        "Leider gibt es dazu keine Angaben in den Seiten.",
        "In den vorliegenden Dokumenten wird die Nummer nicht erwähnt.",
        "Ich kann diese Frage anhand der Seiten nicht beantworten.",
        "Die Frage kann auf Basis der Informationen nicht beantwortet werden.",
        "Es tut mir leid, aber die Quellen nennen keinen Ansprechpartner.",
        "Das geht aus den Seiten nicht hervor.",
        "None of the five pages gives the tax number. I would ask the finance team.",
        "Sadly, the password isn't included in any of the pages.",
        "Thank you for asking! No answer found in the pages.",
        "Rates are given by level and not by person, so hers can't be determined.",
        "Keine Angabe in den Belegen.",
        "Dazu finde ich in den mir vorliegenden Unterlagen leider nichts.",
    ],
)
def test_a_model_that_finds_nothing_in_its_own_words_abstains(reply: str) -> None:
    assert is_unanswered(reply, HITS)


@pytest.mark.parametrize(
    "reply",
    [
        "The evidence does not mention the phone number. It only has the opening hours [1].",
        "The evidence [1][2] does not mention the fees.",
        "None of the pieces of evidence state the fine. They say who approves it [1], but no fee.",
        "The evidence covers only orders before delivery [1]; it does not describe returns.",
        "I don't see an answer to this in the pages I was given: [1] lists books alone.",
        "I can't answer that from what I have. The closest page is the one on charging [2].",
        "While [1] explains how it is stored, it names no one. The evidence does not answer this.",
        "In den vorliegenden Belegen wird nicht erwähnt, wer vertritt. Es geht um Schichten [1].",
        "Die Seite [1] beschreibt die Einwahl. Ich kann die Frage daher nicht beantworten.",
        "Ob es Sabbaticals gibt, lässt sich aus den Seiten nicht beantworten: [1] sagt nichts.",
    ],
)
def test_what_is_said_of_the_evidence_as_such_is_no_answer_whatever_it_cites(reply: str) -> None:
    assert is_unanswered(reply, HITS)


@pytest.mark.parametrize(
    "reply",
    [
        "Fifteen days [1]. The evidence does not cover the notice period in Italy.",
        "Up to 110 EUR [2]. I don't have any information about Dublin.",
        "Up to 110 EUR [2]. I cannot answer the question about breakfast.",
        "The evidence does not name a limit for tips, but meals are paid up to 30 EUR [2].",
        "The evidence does not name a limit. However, managers decide [1].",
        "No, the policy does not mention a limit, because tips are part of the allowance [1].",
        "The contract page does not list a deposit; none is taken [1].",
        "Der Start ist am 1. Oktober [2]. Wer schult, geht aus den Seiten nicht hervor.",
        "Up to 110 EUR [2], but the evidence does not mention Lisbon.",
        "Porto has 25 days of leave.[1] The evidence does not mention Lisbon.",
        "Yes [1]. The evidence does not mention any exception.",
        "The evidence gives no limit for Lisbon. In Porto a hotel costs up to 110 EUR [2].",
        "The evidence does not mention Lisbon. In Porto a hotel costs up to 110 EUR [2].",
        "- Lisbon: The pages I can read do not answer this.\n- Porto: 25 days [1].",
        "The evidence does not mention a form. Instead, you write to HR [1].",
        "Up to 110 EUR [2]. For Lisbon, the evidence does not answer your question.",
        "- Porto: 25 days [1]\n- Lisbon: I cannot answer that.",
        "**Lisbon**\nThe pages I can read do not answer this.\n\n**Porto**\nUp to 110 EUR [2].",
        "Regarding Lisbon, the pages I can read do not answer this. In Porto it is 110 EUR [2].",
        "The evidence does not state a deadline. Upload the documents in the portal [1].",
        "The evidence does not say who pays. None of the costs are covered by the company [1].",
        "Upload all documents within 30 days [2]. About Italy I cannot answer your question.",
        "In den vorliegenden Unterlagen steht keine Frist. Reichen Sie alle Belege ein [1].",
        "It costs up to 110 EUR [2]. With breakfast I cannot answer that.",
        "The evidence does not mention Lisbon. It is 110 EUR in Porto [2].",
        "Nein, Belege sind für die Pauschale nicht erforderlich [1].",
        "None of the documents contains personal data, so no contract is needed [1].",
        "The information provided does not include VAT [1].",
        "Dazu gibt es kein Formular [1].",
        "Die Zugangsdaten sind in den Unterlagen nicht enthalten [1].",
        "If you can't determine the cause, call IT [1].",
    ],
)
def test_half_an_answer_and_a_denial_that_answers_stay(reply: str) -> None:
    assert not is_unanswered(reply, HITS)


@pytest.mark.parametrize(
    "reply",
    [
        "The context menu does not contain an export button.",
        "The pages do not mention Lisbon, but a hotel in Porto costs 110 EUR.",
        "The pages do not mention Lisbon. A hotel in Porto costs up to 110 EUR [2].",
        "There is no parking in Porto [1].",
        "No. The document must not be given to customers.",
        "There are no details to enter: press Save [1].",
        "Information security does not approve private USB sticks.",
        "Es gibt keine Parkplätze am Standort Porto.",
        "I do not have access rights: ask IT [1].",
        "There is no data in the staging database [1].",
        "The documentation does not include the firmware: download it separately [1].",
        'If you see "I cannot find my device", restart the hub [1].',
        "Die Quellen sagen, dass keine Genehmigung nötig ist.",
        "In den Protokollen werden keine Namen genannt [1].",
        "Es gibt keine Antwort vom Server, wenn das VPN aus ist [1].",
        "Nein, die Tankkarte gilt nicht im Ausland [1].",
    ],
)
def test_what_is_denied_of_the_thing_itself_is_an_answer(reply: str) -> None:
    assert not is_unanswered(reply, HITS)


GERMAN = "Keine Seite, die ich lesen kann, beantwortet das."


def streamed(reply: str) -> list[str]:
    """What is handed on of a reply that comes in pieces of five characters."""
    shown: list[str] = []
    show = TranslatedStream("de", shown.append)
    for start in range(0, len(reply), 5):
        show(reply[start : start + 5])
    return shown


@pytest.mark.parametrize("length", range(len(NOT_FOUND)))
def test_nobody_sees_the_english_sentence_begin(length: int) -> None:
    assert "".join(streamed(NOT_FOUND[:length])) == ""


def test_the_sentence_alone_is_not_handed_on() -> None:
    assert streamed(NOT_FOUND) == []


def test_the_sentence_before_others_is_seen_as_the_catalogue_says_it() -> None:
    assert "".join(streamed(f"{NOT_FOUND} Sorry.")) == f"{GERMAN} Sorry."


@pytest.mark.parametrize("reply", ["The pages say 110 EUR [2].", "Bis zu 110 EUR [2].", "Ja."])
def test_every_other_reply_is_handed_on_as_it_is(reply: str) -> None:
    assert "".join(streamed(reply)) == reply
