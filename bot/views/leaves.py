"""What leaves the company, as Home says it: which text goes to which endpoint beside Slack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.views.block_kit import Block, context, header, section
from bot.views.mrkdwn import escape
from core.language.sentences import Sentences
from core.policy.model_routing import Leaving
from core.settings.endpoints import Endpoint

MOST_NAMES = 10  # of spaces, and of labels


def build_leaves(say: Sentences, facts: Leaving) -> list[Block]:
    """A heading, who gets text, and which pages are kept from them."""
    lines = [say("leaves-slack"), *_endpoints(say, facts)]
    blocks = [header(say("leaves-heading")), section("\n".join(f"• {line}" for line in lines))]
    if kept := list(_kept(say, facts)):
        blocks.append(context(" · ".join(kept)))
    return blocks


def _endpoints(say: Sentences, facts: Leaving) -> Iterator[str]:
    if facts.model is None:
        yield say("leaves-no-model")
    else:
        yield _endpoint(say, "leaves-model", facts.model)
        if facts.messages:
            yield say("leaves-messages")
    if facts.embedder:
        yield _endpoint(say, "leaves-embedder", facts.embedder)
    if facts.reranker:
        yield _endpoint(say, "leaves-reranker", facts.reranker)


def _endpoint(say: Sentences, key: str, there: Endpoint) -> str:
    place = say("leaves-outside" if there.outside else "leaves-own")
    return say(key, host=f"`{escape(there.host)}`", place=place)


def _kept(say: Sentences, facts: Leaving) -> Iterator[str]:
    """Of what is not said: nothing is kept from an endpoint that there is not."""
    there = [each for each in (facts.model, facts.embedder, facts.reranker) if each]
    if there and facts.spaces:
        yield say("leaves-spaces", spaces=_listed(say, facts.spaces))
    if there and facts.excluded_labels:
        yield say("leaves-labels", labels=_listed(say, facts.excluded_labels))
    if any(each.outside for each in there):
        yield say("leaves-restricted-too" if facts.restricted else "leaves-no-restricted")


def _listed(say: Sentences, names: Sequence[str]) -> str:
    shown = [escape(name) for name in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        shown.append(say("and-more", count=len(names) - MOST_NAMES))
    return ", ".join(shown)
