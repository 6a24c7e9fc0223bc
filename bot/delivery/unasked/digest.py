"""Delivers digests: each is posted at most once, and shown again when something in it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bot import voices
from bot.delivery.home_tab import Links
from bot.delivery.unasked.parts import DigestMessages, Recipients
from bot.gate import Gate
from bot.slack_api.errors import NEEDS_AN_ADMIN, Dropped, PlaceGone, SlackRefused, Unconfirmed
from bot.views.answer_blocks import MessageBlocks
from bot.views.unasked.digest import DigestWords, build_digest, build_outcome
from core import logs
from core.access.disclosure import NOTHING, of_pages
from core.digest import digests, fixes, named_pages
from core.digest.digest import Digest, Fix
from core.language import spoken
from core.language.sentences import Sentences, sentences
from core.storage.database import Database
from core.turns.turn import Address

log = logs.get(__name__)


class DigestDelivery:
    """Does what SQL says of a digest now; to do it once more changes nothing."""

    def __init__(
        self,
        database: Database,
        messages: DigestMessages,
        recipients: Recipients,
        links: Links,
        gate: Gate,
    ) -> None:
        self._database = database
        self._messages = messages
        self._recipients = recipients
        self._links = links
        self._gate = gate

    def deliver(self, digest_id: str) -> None:
        """Post it, or show in it what has changed.

        Raises:
            SlackError: to be tried again.
        """
        digest = digests.load(self._database, digest_id)
        if digest is None:
            return
        if not digest.begun:
            self._post(digest)
        elif digest.ts:
            self._update(digest)
        else:  # whoever was to post it has died: it may stand there, so it is not posted again
            digests.save_shown(self._database, digest.id, digest.edition)

    def _post(self, digest: Digest) -> None:
        whom = self._whom(digest)
        digest = self._readable(digest) if whom else digest
        if not whom or not digest.gaps:
            digests.save_shown(self._database, digest.id, digest.edition)
            log.info("digest.not_sent", digest=digest.id, gaps=len(digest.gaps))
            return
        words = self._words(digest)
        built = build_digest(self._say(digest, whom), words)
        if not digests.begin(self._database, digest.id, whom if digest.is_for_owner else ""):
            return
        shows = of_pages(words.pages)
        try:
            place = self._messages.post_to(whom, built.text, built.blocks, digest.id, shows=shows)
        except (Unconfirmed, Dropped):
            digests.not_begun(self._database, digest.id)
            return  # it is given out again
        except SlackRefused as error:
            self._refused(digest, error)
            return
        digests.save_place(self._database, digest.id, *place)
        digests.save_shown(self._database, digest.id, digest.edition)
        log.info("digest.sent", digest=digest.id, gaps=len(digest.gaps))

    def _whom(self, digest: Digest) -> str:
        if not digest.is_for_owner:
            return digest.whom
        return self._recipients.owner(digest.team, digest.whom)

    def _readable(self, digest: Digest) -> Digest:
        """Without what was asked where not everybody reads."""
        asked = {each.channel for gap in digest.gaps for each in gap.questions}
        closed = {channel for channel in asked if not self._recipients.is_open(channel)}
        hidden = [
            each.turn_id for gap in digest.gaps for each in gap.questions if each.channel in closed
        ]
        if hidden:
            digests.drop_questions(self._database, digest.id, hidden)
        return digest.without(hidden)

    def _refused(self, digest: Digest, error: SlackRefused) -> None:
        log.error("digest.refused", digest=digest.id, error=error.code)
        if not isinstance(error, PlaceGone) and error.code in NEEDS_AN_ADMIN:
            digests.not_begun(self._database, digest.id)
            return
        digests.save_shown(self._database, digest.id, digest.edition)

    def _update(self, digest: Digest) -> None:
        words = self._words(digest)
        say = self._say(digest, digest.user)
        built = build_digest(say, words)
        shows = of_pages(words.pages)
        try:
            self._messages.update(digest.channel, digest.ts, built.text, built.blocks, shows=shows)
        except PlaceGone:
            log.info("digest.gone", digest=digest.id)
        digests.save_shown(self._database, digest.id, digest.edition)
        for gap in digest.gaps:
            if gap.fix and gap.fix.asked and not gap.fix.told:
                self._tell(digest, gap.fix, build_outcome(say, words, gap))

    def _tell(self, digest: Digest, fix: Fix, built: MessageBlocks) -> None:
        """In the thread of the digest, once."""
        if not fixes.tell(self._database, fix.id):
            return
        there = Address(digest.team, digest.channel, digest.ts, digest.ts)
        self._messages.post(there, built.text, built.blocks, fix.id, shows=NOTHING)

    def _words(self, digest: Digest) -> DigestWords:
        """With the pages that may be named now."""
        stale = self._gate.stale(digest.shows)
        pages = named_pages.open_pages(self._database, digest.shows.pages - stale)
        links = {
            each.turn_id: self._links.to(each.channel, each.thread_ts)
            for gap in digest.gaps
            for each in gap.questions
        }
        return DigestWords(digest, pages, links)

    def _say(self, digest: Digest, user: str) -> Sentences:
        if digest.is_for_owner:
            return voices.to(self._database, digest.team, user)
        return sentences(_most_spoken(each.text for gap in digest.gaps for each in gap.questions))


def _most_spoken(texts: Iterable[str]) -> str:
    """The language of most of them."""
    counted = Counter(spoken("", text) for text in texts)
    return counted.most_common(1)[0][0] if counted else ""
