"""The way out: what the bot would send to Slack, past its gate; only that counts as shown."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bot import voices
from bot.delivery.confirmer import USABLE_SHARE
from bot.delivery.home_tab import HomeTab, PersonParts
from bot.gate import Gate
from bot.views.answer_blocks import build_messages, build_question
from bot.views.block_kit import Block
from bot.views.details import build_details
from bot.views.explanation_blocks import build_explanation
from bot.views.explanation_text import as_text
from core.access.disclosure import Disclosure
from core.jobs.progress_events import Event, EventKind
from core.policy.model_routing import Leaving
from core.states import DetailState
from core.storage.database import Database
from core.turns import detail_requests, disclosures, explanations, turn_store
from core.turns.turn import Turn


@dataclass(frozen=True)
class Sent:
    """Something that Slack was sent."""

    at: float
    audience: str
    turn_id: str
    what: str  # answer, stream, explanation, details, home
    text: str


class Nowhere:
    """Addresses of messages, of which there are none here."""

    def to(self, channel: str, ts: str) -> str:
        del channel, ts
        return ""


@dataclass
class Outlet:
    """`confirm` has a worker ask again about a turn's pages; `before` comes before the gate."""

    database: Database
    valid_s: float
    confirm: Callable[[str], None]
    before: Callable[[], None] = lambda: None
    sent: list[Sent] = field(default_factory=list)
    stopped: int = 0  # by the gate
    standing: dict[tuple[str, str], Sent] = field(default_factory=dict)  # by turn and `what`
    home: HomeTab = field(init=False)
    _evidence: dict[str, Disclosure] = field(default_factory=dict)
    _written: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._gate = Gate(self.database, self.valid_s)
        person = PersonParts(
            is_outsider=lambda _team, _user: False,
            account=lambda _team, _user: (),
            leaving=Leaving(),
        )
        self.home = HomeTab(self.database, self, Nowhere(), self._gate, person)

    def told(self, turn_id: str, event: Event) -> None:
        """Progress of a worker: the text that grows is shown as it comes."""
        if event.kind is EventKind.START:
            self._written[turn_id] = ""
            self._evidence.pop(turn_id, None)
        elif event.kind is EventKind.EVIDENCE:
            self._evidence[turn_id] = disclosures.of_event(event)
        elif event.kind is EventKind.TEXT and turn_id in self._evidence:
            self._written[turn_id] += event.data
            shows, text = self._evidence[turn_id], self._written[turn_id]
            turn = turn_store.load(self.database, turn_id)
            if turn is not None:
                self._send(turn_id, disclosures.with_question(turn, shows), "stream", [text])

    def deliver(self, turn_id: str) -> bool:
        """The answer, or the sentence in its place; whether it was an answer."""
        turn = self._confirmed(turn_id)
        self.standing.pop((turn_id, "answer"), None)
        if turn is None or turn.record is None:
            return False
        say, record = voices.about(self.database, turn), turn.record
        asked = build_question(say, turn.question, turn.user) if turn.by_button else []
        messages = build_messages(
            say, turn.id, record.completed, record.answer, above=asked, asked_at=turn.asked_at
        )
        texts = [str(part) for message in messages for part in message]
        return self._send(turn_id, disclosures.of_turn(turn), "answer", texts)

    def explain(self, turn_id: str) -> bool:
        turn = self._confirmed(turn_id)
        request = explanations.load(self.database, turn_id)
        self.standing.pop((turn_id, "explanation"), None)
        if turn is None or request is None or request.result is None:
            return False
        say = voices.about(self.database, turn)
        texts = [as_text(say, request.result), json.dumps(build_explanation(say, request.result))]
        return self._send(turn_id, disclosures.of_turn(turn), "explanation", texts)

    def show_details(self, view_id: str) -> bool:
        request = detail_requests.load(self.database, view_id)
        turn = turn_store.load(self.database, request.turn_id) if request else None
        if request is None or turn is None or turn.record is None:
            return False
        if request.state != DetailState.OPEN:
            return False
        say = voices.about(self.database, turn)
        view = build_details(say, turn, explanations.load(self.database, turn.id))
        shows = Disclosure(disclosures.of_turn(turn).pages, request.audience)
        return self._send(turn.id, shows, "details", [json.dumps(view)])

    def publish(self, user: str, view: Block, *, shows: Disclosure) -> None:
        """The Home tab of a person, as bot.delivery.home_tab has it published."""
        self._send(user, shows, "home", [json.dumps(view)])

    def of_turn(self, turn_id: str) -> list[Sent]:
        """What stands in Slack of a turn."""
        return [sent for (of, _), sent in self.standing.items() if of == turn_id]

    def _confirmed(self, turn_id: str) -> Turn | None:
        """The turn after its pages were asked about again where that is needed."""
        turn = turn_store.load(self.database, turn_id)
        if turn is not None and self._stale(disclosures.of_turn(turn), USABLE_SHARE):
            self.confirm(turn_id)
            turn = turn_store.load(self.database, turn_id)
        return turn

    def _send(
        self,
        turn_id: str,
        shows: Disclosure,
        what: str,
        texts: Sequence[str],
    ) -> bool:
        self.before()
        at = time.time()
        if self._stale(shows):
            self.stopped += 1
            return False
        sent = Sent(at, shows.audience, turn_id, what, "\n".join(texts))
        self.sent.append(sent)
        with suppress(KeyError):
            del self.standing[turn_id, "stream"]
        if what not in ("details", "home"):  # these are made anew
            self.standing[turn_id, what] = sent
        return True

    def _stale(self, shows: Disclosure, share: float = 1.0) -> bool:
        return bool(self._gate.stale(shows, share=share))
