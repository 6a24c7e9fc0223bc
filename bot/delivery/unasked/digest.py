"""Delivers digests: each is posted at most once, and shown again when something in it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bot import voices
from bot.delivery.home_tab import Links
from bot.delivery.unasked.parts import DigestMessages, Recipients
from bot.gate import Gate
from bot.slack_api.errors import (
    NEVER_TAKEN,
    REFUSED_BLOCKS,
    Dropped,
    PlaceGone,
    SlackError,
    SlackRefused,
    Unconfirmed,
    surely_not_done,
)
from bot.views.answer_blocks import MessageBlocks
from bot.views.unasked.digest import DigestWords, build_digest, build_outcome
from core import logs
from core.access.disclosure import NOTHING, of_pages
from core.digest import digests, fixes, named_pages, schedule
from core.digest.digest import Digest, Fix
from core.language import spoken
from core.language.sentences import Sentences, sentences
from core.policy import preferences
from core.storage import clock
from core.storage.database import Database
from core.turns.turn import Address

# So long after somebody has called a gap fixed they are told what became of it: it is asked again
# within two days, and Slack has two more to take that.
TELL_S = 4 * 86_400.0

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
        whom = "" if _is_late(digest) else self._whom(digest)
        digest = self._readable(digest) if whom else digest
        if not whom or not digest.gaps:
            digests.save_shown(self._database, digest.id, digest.edition)
            log.info("digest.not_sent", digest=digest.id, gaps=len(digest.gaps))
            return
        words = self._words(digest)
        built = build_digest(self._say(digest, whom), words)
        if not digests.begin(self._database, digest.id, whom if digest.is_for_owner else ""):
            return
        try:
            place = self._place(whom, built, words)
        except (Unconfirmed, Dropped):
            digests.not_begun(self._database, digest.id)
            return  # it is given out again
        except SlackRefused as error:
            self._refused(digest, error)
            return
        digests.save_place(self._database, digest.id, *place)
        digests.save_shown(self._database, digest.id, digest.edition)
        log.info("digest.sent", digest=digest.id, gaps=len(digest.gaps))

    def _place(self, whom: str, built: MessageBlocks, words: DigestWords) -> tuple[str, str]:
        """Where it stands now; without blocks where Slack does not take them."""
        shows, post_id = of_pages(words.pages), words.digest.id
        try:
            return self._messages.post_to(whom, built.text, built.blocks, post_id, shows=shows)
        except SlackRefused as error:
            _only_of_blocks(error, post_id)
            return self._messages.post_to(whom, built.text, (), post_id, shows=shows)

    def _change(self, digest: Digest, built: MessageBlocks, words: DigestWords) -> None:
        """The same for what stands there already."""
        shows, there = of_pages(words.pages), (digest.channel, digest.ts)
        try:
            self._messages.update(*there, built.text, built.blocks, shows=shows)
        except SlackRefused as error:
            _only_of_blocks(error, digest.id)
            self._messages.update(*there, built.text, (), shows=shows)

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
        """Tried again until the day has passed, but for what Slack never takes."""
        log.error("digest.refused", digest=digest.id, error=error.code)
        if isinstance(error, PlaceGone) or error.code in NEVER_TAKEN:
            digests.save_shown(self._database, digest.id, digest.edition)
        elif surely_not_done(error):
            digests.not_begun(self._database, digest.id)

    def _update(self, digest: Digest) -> None:
        digest = self._readable(digest)
        words = self._words(digest)
        say = self._say(digest, digest.user)
        built = build_digest(say, words)
        try:
            self._change(digest, built, words)
        except PlaceGone:
            log.info("digest.gone", digest=digest.id)
        for gap in digest.gaps:
            if gap.fix and gap.fix.asked and not gap.fix.told:
                self._tell(digest, gap.fix, build_outcome(say, words, gap))
        digests.save_shown(self._database, digest.id, digest.edition)

    def _tell(self, digest: Digest, fix: Fix, built: MessageBlocks) -> None:
        """In the thread of the digest, once, unless its owner wants none any more."""
        if not fixes.tell(self._database, fix.id) or self._is_unwanted(digest):
            return
        there = Address(digest.team, digest.channel, digest.ts, digest.ts)
        try:
            self._messages.post(there, built.text, built.blocks, fix.id, shows=NOTHING)
        except PlaceGone:
            log.info("digest.not_told", digest=digest.id, fix=fix.id)
        except SlackError as error:
            is_late = clock.now() - fix.marked_at > TELL_S
            if surely_not_done(error) and not is_late:
                fixes.not_told(self._database, fix.id)
            raise

    def _is_unwanted(self, digest: Digest) -> bool:
        if not digest.is_for_owner:
            return False
        return bool(preferences.load(self._database, digest.team, digest.user).no_digest)

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


def _is_late(digest: Digest) -> bool:
    return clock.now() - digest.week > schedule.LATE_S


def _only_of_blocks(error: SlackRefused, digest_id: str) -> None:
    """Go on only where the text alone may be taken."""
    if error.code not in REFUSED_BLOCKS:
        raise error
    log.error("digest.blocks_refused", digest=digest_id, error=error.code)


def _most_spoken(texts: Iterable[str]) -> str:
    """The language of most of them."""
    counted = Counter(spoken("", text) for text in texts)
    return counted.most_common(1)[0][0] if counted else ""
