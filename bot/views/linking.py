"""The linked account in Home: as whom somebody's private answers are read, and how to change it."""

from __future__ import annotations

from bot.views.block_kit import Block, actions, button, header, plain_text, section
from bot.views.mrkdwn import escape, moment
from core.access.linked_accounts import Link
from core.language.sentences import Sentences

LINK_ACTION, UNLINK_ACTION = "link_account", "unlink_account"


def build_account(say: Sentences, link: Link | None, url: str) -> list[Block]:
    """`url` is where this person links an account."""
    shown = [header(say("link-title"))]
    if link and link.works:
        since = moment(say, link.linked_at, "{date_short_pretty}")
        shown.append(section(say("link-is", account=escape(link.name), since=since)))
        return [*shown, actions(_unlink(say))]
    shown.append(section(say("link-lost") if link else say("link-about")))
    to_link = button(say("button-link"), LINK_ACTION, "link") | {"url": url}
    return [*shown, actions(to_link, _unlink(say)) if link else actions(to_link)]


def _unlink(say: Sentences) -> Block:
    dialog = {
        "title": plain_text(say("unlink-title")),
        "text": plain_text(say("unlink-text")),
        "confirm": plain_text(say("button-unlink")),
        "deny": plain_text(say("button-keep")),
    }
    return button(say("button-unlink"), UNLINK_ACTION, "unlink") | {"confirm": dialog}
