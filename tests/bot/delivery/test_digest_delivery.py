"""Digests when Slack refuses, a channel closes or somebody says no: never twice, and not lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from sqlmodel import delete

from bot.delivery.unasked.digest import DigestDelivery
from bot.delivery.unasked.welcome import WelcomeDelivery
from bot.gate import Gate
from bot.slack_api.errors import Dropped, SlackError, SlackUnreachable, Unconfirmed, refusal
from bot.views.block_kit import Block
from core.access.disclosure import Disclosure
from core.digest import digests, fixes
from core.digest.digests import NewGap
from core.language.sentences import sentences
from core.models import Answer, Note, Record
from core.policy import preferences
from core.policy.model_routing import Leaving
from core.question import Completed
from core.states import Cure
from core.storage import clock
from core.storage.database import Database
from core.storage.loop_tables import FixQuestionRow
from core.turns import erasure, turn_store
from core.turns.turn import Address, NewQuestion, Turn

SAY = sentences("en")
OWNER = "UOWNER"


@dataclass
class FakeMessages:
    """What was said, in order; the next call may fail."""

    said: list[tuple[str, str]] = field(default_factory=list)
    failing: list[SlackError] = field(default_factory=list)

    def _say(self, how: str, text: str, blocks: Sequence[Block]) -> None:
        if self.failing:
            raise self.failing.pop(0)
        self.said.append((how, f"{text} {blocks}"))

    def post_to(
        self, user: str, text: str, blocks: Sequence[Block], post_id: str, *, shows: Disclosure
    ) -> tuple[str, str]:
        self._say("post_to", text, blocks)
        return user, f"9.{len(self.said)}"

    def post(
        self,
        address: Address,
        text: str,
        blocks: Sequence[Block],
        post_id: str,
        *,
        shows: Disclosure,
    ) -> str:
        self._say("post", text, blocks)
        return "1.0"

    def update(
        self, channel: str, ts: str, text: str, blocks: Sequence[Block] = (), *, shows: Disclosure
    ) -> None:
        self._say("update", text, blocks)

    def how(self) -> list[str]:
        return [how for how, _ in self.said]


@dataclass
class FakeRecipients:
    closed: set[str] = field(default_factory=set)

    def owner(self, team: str, account: str) -> str:
        return OWNER

    def is_open(self, channel: str) -> bool:
        return channel not in self.closed


class FakeLinks:
    def to(self, channel: str, ts: str) -> str:
        return ""


@dataclass
class Stage:
    database: Database
    messages: FakeMessages = field(default_factory=FakeMessages)
    recipients: FakeRecipients = field(default_factory=FakeRecipients)

    def deliver(self, digest_id: str) -> None:
        gate = Gate(self.database, 60.0)
        parts = (self.database, self.messages, self.recipients, FakeLinks(), gate)
        DigestDelivery(*parts).deliver(digest_id)

    def ask(self, ts: str, text: str = "Sauna?", user: str = "U1", channel: str = "C1") -> Turn:
        new = NewQuestion(Address("T1", channel, ts, ts), user=user, text=text)
        turn = turn_store.ask(self.database, new)
        assert turn
        answer = Answer(text="Nothing.", notes=(Note.NOT_FOUND,))
        record = Record(completed=Completed(question=text, text=text), answer=answer)
        assert turn_store.answer(self.database, turn.id, record)
        return turn

    def made(self, *turns: Turn, whom: str = "C9", people: int = 0, ago_s: float = 0) -> str:
        gap = NewGap(tuple(turn.id for turn in turns), people=people, asked=len(turns))
        return digests.save(self.database, "T1", whom, int(clock.now() - ago_s), [gap])

    def fixed(self, digest_id: str, turn: Turn) -> None:
        """Somebody called it fixed, and it was asked again."""
        assert fixes.mark(self.database, digest_id, 1, OWNER)
        outcomes = {turn.id: (Cure.ANSWERED, None)}
        fixes.save_outcomes(self.database, fixes.id_of(digest_id, 1), outcomes)

    def is_waiting(self, digest_id: str) -> bool:
        digest = digests.load(self.database, digest_id)
        return bool(digest and digest.shown < digest.edition)


@pytest.fixture
def stage(database: Database) -> Stage:
    return Stage(database)


def test_a_channel_that_was_closed_later_is_not_quoted_again(stage: Stage) -> None:
    turn = stage.ask("1.0", "Merger?", channel="C5")
    digest_id = stage.made(turn)
    stage.deliver(digest_id)
    stage.fixed(digest_id, turn)
    stage.recipients.closed.add("C5")
    stage.deliver(digest_id)
    (posted, *later) = stage.messages.said
    assert "Merger?" in posted[1]
    assert [how for how, _ in later] == ["update"]
    assert "Merger?" not in str(later)


@pytest.mark.parametrize("code", ["internal_error", "service_unavailable", "fatal_error"])
def test_what_slack_may_have_posted_all_the_same_is_not_posted_again(
    stage: Stage, code: str
) -> None:
    digest_id = stage.made(stage.ask("1.0"))
    stage.messages.failing = [refusal(code)]
    stage.deliver(digest_id)
    stage.deliver(digest_id)
    assert stage.messages.how() == []


@pytest.mark.parametrize("code", ["ratelimited", "invalid_auth"])
def test_what_slack_does_not_take_now_is_posted_later(stage: Stage, code: str) -> None:
    digest_id = stage.made(stage.ask("1.0"))
    stage.messages.failing = [refusal(code)]
    stage.deliver(digest_id)
    assert stage.is_waiting(digest_id)
    stage.deliver(digest_id)
    assert stage.messages.how() == ["post_to"]
    assert not stage.is_waiting(digest_id)


def test_blocks_that_slack_does_not_take_go_out_as_text(stage: Stage) -> None:
    digest_id = stage.made(stage.ask("1.0"))
    stage.messages.failing = [refusal("invalid_blocks")]
    stage.deliver(digest_id)
    ((how, said),) = stage.messages.said
    assert (how, said.endswith("Sauna? ()")) == ("post_to", True)


@pytest.mark.parametrize(
    "errors",
    [
        [refusal("is_archived")],
        [refusal("invalid_blocks"), refusal("msg_too_long")],
        [SlackUnreachable("no answer")],
        [refusal("")],
    ],
)
def test_what_can_never_be_posted_or_may_stand_there_is_given_up(
    stage: Stage, errors: list[SlackError]
) -> None:
    digest_id = stage.made(stage.ask("1.0"))
    stage.messages.failing = list(errors)
    for _ in range(3):
        try:
            stage.deliver(digest_id)
        except SlackUnreachable:
            continue
    assert stage.messages.said == []
    assert not stage.is_waiting(digest_id)


def test_a_digest_that_was_due_more_than_a_day_ago_is_left_out(stage: Stage) -> None:
    digest_id = stage.made(stage.ask("1.0"), ago_s=86_500)
    stage.deliver(digest_id)
    assert stage.messages.said == []
    assert not stage.is_waiting(digest_id)


@pytest.mark.parametrize("error", [refusal("ratelimited"), Dropped("x"), Unconfirmed(["x"])])
def test_what_became_of_a_gap_is_told_again_when_slack_did_not_take_it(
    stage: Stage, error: SlackError
) -> None:
    turn = stage.ask("1.0")
    digest_id = stage.made(turn)
    stage.deliver(digest_id)
    stage.fixed(digest_id, turn)
    failing = stage.messages
    failing.said.clear()
    with pytest.raises(type(error)):
        _fail_second(stage, digest_id, error)
    assert stage.is_waiting(digest_id)
    for _ in range(2):
        stage.deliver(digest_id)
    assert stage.messages.how().count("post") == 1
    assert not stage.is_waiting(digest_id)


def _fail_second(stage: Stage, digest_id: str, error: SlackError) -> None:
    """The update is taken, and what is said in the thread is not."""

    class Failing(FakeMessages):
        def post(self, *_: object, **__: object) -> str:
            raise error

    taken, stage.messages = stage.messages, Failing()
    try:
        stage.deliver(digest_id)
    finally:
        stage.messages = taken


def test_an_owner_who_wants_none_any_more_is_not_told(stage: Stage) -> None:
    turn = stage.ask("1.0")
    digest_id = stage.made(turn, whom="user:owner")
    stage.deliver(digest_id)
    before = preferences.load(stage.database, "T1", OWNER)
    without = before.model_copy(update={"no_digest": True})
    preferences.save(stage.database, "T1", OWNER, without)
    stage.fixed(digest_id, turn)
    stage.deliver(digest_id)
    assert stage.messages.how() == ["post_to", "update"]


def test_people_are_not_counted_once_a_question_of_theirs_is_gone(stage: Stage) -> None:
    turns = [stage.ask(f"{number}.0", user=f"U{number}") for number in (1, 2, 3)]
    digest_id = stage.made(*turns, people=3)
    stage.deliver(digest_id)
    erasure.forget_person(stage.database, "T1", "U1")
    stage.deliver(digest_id)
    (_, before), (_, after) = stage.messages.said
    assert SAY("digest-people", count=3) in before
    assert SAY("digest-people", count=3) not in after
    assert SAY("digest-asked", count=2) in after


def test_only_the_questions_that_are_named_are_counted(stage: Stage) -> None:
    stage.recipients.closed.add("C5")
    hidden = [stage.ask(f"{number}.0", channel="C5") for number in (2, 3)]
    stage.deliver(stage.made(stage.ask("1.0"), *hidden))
    ((_, said),) = stage.messages.said
    assert SAY("digest-asked", count=1) in said
    assert SAY("digest-asked", count=3) not in said


def test_nothing_is_called_answered_where_no_question_is_left(stage: Stage) -> None:
    turn = stage.ask("1.0")
    digest_id = stage.made(turn)
    stage.deliver(digest_id)
    stage.fixed(digest_id, turn)
    with stage.database.session() as session:
        session.exec(delete(FixQuestionRow))
    stage.deliver(digest_id)
    assert "white_check_mark" not in str(stage.messages.said)


@pytest.mark.parametrize(
    ("error", "times"), [(SlackUnreachable("no answer"), 0), (refusal("ratelimited"), 1)]
)
def test_nobody_is_welcomed_again_where_the_welcome_may_stand(
    stage: Stage, error: SlackError, times: int
) -> None:
    leaving = Leaving()
    welcome = WelcomeDelivery(stage.database, stage.messages, leaving, 0)
    stage.messages.failing = [error]
    with pytest.raises(type(error)):
        welcome.welcome("T1", "C1", "U1")
    welcome.welcome("T1", "C1", "U1")
    assert len(stage.messages.said) == times
