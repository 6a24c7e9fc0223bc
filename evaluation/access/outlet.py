"""The way out: what the bot would send to Slack, past its gate; only that counts as shown."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bot import voices
from bot.views.answer_blocks import build_messages
from bot.views.details import build_details
from bot.views.explanation_blocks import build_explanation
from bot.views.explanation_text import as_text
from core.access import confirmations
from core.access.disclosure import Disclosure
from core.jobs.progress_events import Event, EventKind
from core.states import DetailState
from core.storage.database import Database
from core.storage.tables import DetailRequestRow
from core.turns import disclosures, explanations, turn_store
from core.turns.turn import Turn

USABLE_SHARE = 0.7  # as the bot's: what is older is asked about again before it is delivered


@dataclass(frozen=True)
class Sent:
    """Something that Slack was sent."""

    at: float
    audience: str
    turn_id: str
    what: str  # answer, stream, explanation, details
    text: str


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
    _evidence: dict[str, Disclosure] = field(default_factory=dict)
    _written: dict[str, str] = field(default_factory=dict)

    def told(self, turn_id: str, event: Event) -> None:
        """Progress of a worker: the text that grows is shown as it comes."""
        if event.kind is EventKind.START:
            self._written[turn_id] = ""
            self._evidence.pop(turn_id, None)
        elif event.kind is EventKind.EVIDENCE:
            self._evidence[turn_id] = Disclosure(frozenset(event.pages), event.audience)
        elif event.kind is EventKind.TEXT and turn_id in self._evidence:
            self._written[turn_id] += event.data
            shows, text = self._evidence[turn_id], self._written[turn_id]
            self._send(turn_id, shows, "stream", [text])

    def deliver(self, turn_id: str) -> bool:
        """The answer, or the sentence in its place; whether it was an answer."""
        turn = self._confirmed(turn_id)
        self.standing.pop((turn_id, "answer"), None)
        if turn is None or turn.record is None:
            return False
        say, record = voices.about(self.database, turn), turn.record
        messages = build_messages(say, turn.id, record.completed, record.answer)
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
        with self.database.reading() as session:
            request = session.get_one(DetailRequestRow, view_id)
        turn = turn_store.load(self.database, request.turn_id)
        if request.state != DetailState.OPEN or turn is None or turn.record is None:
            return False
        say = voices.about(self.database, turn)
        view = build_details(say, turn, explanations.load(self.database, turn.id))
        shows = Disclosure(disclosures.of_turn(turn).pages, request.audience)
        return self._send(turn.id, shows, "details", [json.dumps(view)])

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
        if what != "details":  # a modal is closed again
            self.standing[turn_id, what] = sent
        return True

    def _stale(self, shows: Disclosure, share: float = 1.0) -> bool:
        after = time.time() + (1 - share) * self.valid_s
        return bool(confirmations.unconfirmed(self.database, shows, after))
