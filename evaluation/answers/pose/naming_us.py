"""Whether a written message names the bot, and what it says without the bot's name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.dialogue.folding import in_lines

ALWAYS = ("bot", "groundwire")  # how everybody may call it
MENTION = "@bot"
# As Slack writes a mention, and as people do; an address such as ana@example.com names nobody.
_NAMED = re.compile(r"<@[^>\s]+>|(?<![\w@.+-])@\w[\w-]*(?:\.\w[\w-]*)*")


@dataclass(frozen=True)
class Addressed:
    """A text without the bot's own name in it."""

    text: str
    mentions_bot: bool
    as_written: str  # the same, with the bot's name where it stands, as `@bot`


def addressed(text: str, bot: bool | str | None) -> Addressed:
    """`bot` is how the bot is called, or whether the text mentions it.

    >>> addressed("@helper where is it, @ana?", "helper")
    Addressed(text='where is it, @ana?', mentions_bot=True, as_written='@bot where is it, @ana?')
    """
    name, most = _our_name(bot), 0
    named = name.search(text) is not None
    if not named and bot is True:  # by a name that nobody has told us: the first one there is
        name, most, named = _NAMED, 1, True
    bare = in_lines(name.sub(" ", text, count=most))  # as the bot reads every message
    written = in_lines(name.sub(MENTION, text, count=most))
    return Addressed(bare.lstrip(",: ") if named else bare, named, written)


def is_bot(who: str, bot: bool | str | None) -> bool:
    """Whether it was the bot that said something."""
    return who.casefold() in {name.casefold() for name in _names(bot)}


def _our_name(bot: bool | str | None) -> re.Pattern[str]:
    either = "|".join(re.escape(name) for name in _names(bot))
    return re.compile(
        rf"<@(?:{either})(?:\|[^>]*)?>|(?<![\w@.+-])@(?:{either})(?![\w-])", re.IGNORECASE
    )


def _names(bot: bool | str | None) -> tuple[str, ...]:
    own = bot.strip("<@> ") if isinstance(bot, str) else ""
    return (*ALWAYS, own) if own else ALWAYS
