"""Buttons of a digest: a gap is called fixed, and somebody wants no digest any more."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import App

from bot.access.membership import NotYetKnown, is_asked
from bot.listeners.unasked.opting_out import opt_out
from bot.slack_api.ephemeral import EphemeralMessages
from bot.slack_api.payloads import Payload, team_id, user_id
from bot.views.unasked.digest import FIXED_ACTION, STOP_ACTION
from core import logs
from core.digest import digests, fixes
from core.digest.digest import Digest
from core.jobs.queue import TaskName, enqueue_or_log
from core.policy import people
from core.policy.people import Standing
from core.storage.database import Database

_GAP = re.compile("[0-9]{1,4}")  # the number of a gap; a longer one is made up

log = logs.get(__name__)


class DigestListeners:
    """Writes into SQL what was pressed; a worker asks again, and a speaker shows it."""

    def __init__(self, database: Database, ephemeral: EphemeralMessages) -> None:
        self._database = database
        self._ephemeral = ephemeral

    def register(self, app: App) -> None:
        app.action(FIXED_ACTION)(self.fixed)
        app.action(STOP_ACTION)(self.stopped)

    def fixed(self, action: Payload, body: Payload, ack: Any) -> None:
        digest_id, _, number = str(action["value"]).rpartition(":")
        digest, user = self._of_message(digest_id, body), user_id(body)
        if digest is None or not _GAP.fullmatch(number):
            self._ephemeral.reply(body, "answer-unknown")
        elif not self._may(digest, user):
            self._ephemeral.reply(body, "hand-over-members")
        elif fixes.mark(self._database, digest.id, int(number), user):
            log.info("digest.marked_fixed", digest=digest.id, gap=int(number), user=user)
            enqueue_or_log(digest.id, TaskName.CONFIRM_DIGEST)
            self._ephemeral.reply(body, "digest-thanks")
        else:
            self._ephemeral.reply(body, "digest-marked")
        ack()

    def stopped(self, action: Payload, body: Payload, ack: Any) -> None:
        digest, user = self._of_message(str(action["value"]), body), user_id(body)
        if digest is None or digest.user != user:
            self._ephemeral.reply(body, "answer-unknown")
        else:
            opt_out(self._database, digest.team, user, "no_digest")
            self._ephemeral.reply(body, "digest-stopped")
        ack()

    def _of_message(self, digest_id: str, body: Payload) -> Digest | None:
        """The digest that stands where the button was pressed; an id alone opens nothing."""
        digest = digests.load(self._database, digest_id)
        where = body.get("container") or {}
        here = (team_id(body), where.get("channel_id"), where.get("message_ts"))
        if digest is None or here != (digest.team, digest.channel, digest.ts):
            return None
        return digest

    def _may(self, digest: Digest, user: str) -> bool:
        """Its owner; in a channel members, as Slack says, neither guests nor other companies."""
        if digest.is_for_owner:
            return digest.user == user
        standing = people.standing(self._database, digest.team, user)
        if standing is Standing.UNKNOWN and not is_asked():
            raise NotYetKnown(digest.team, user)
        return standing is Standing.MEMBER
