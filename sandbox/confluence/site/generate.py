"""Generated pages of a fictional harbour: as many as asked for, always the same, in a tree, each with text, a list and a table."""

from __future__ import annotations

import random

from sandbox.confluence.site.content import Content, Entry

THINGS = (
    "crane",
    "lock",
    "tug",
    "buoy",
    "winch",
    "pilot",
    "berth",
    "cargo",
    "ferry",
    "pump",
    "gate",
    "anchor",
    "radar",
    "depot",
    "ramp",
)
DOES = (
    "lifts",
    "opens",
    "pulls",
    "marks",
    "winds",
    "guides",
    "waits",
    "carries",
    "crosses",
    "drains",
    "closes",
    "holds",
    "stores",
)
BRANCHES = 20  # pages under each page


def fill(content: Content, space: str, pages: int) -> None:
    """Add this many pages to a space."""
    made: list[str] = []
    for number in range(pages):
        parent = made[(number - 1) // BRANCHES] if made else None
        body = _body(random.Random(number))
        made.append(
            content.create(
                Entry(
                    "",
                    space,
                    f"Page {number} about a {THINGS[number % len(THINGS)]}",
                    body,
                    parent_id=parent,
                )
            ).id
        )


def _body(chance: random.Random) -> str:
    paragraphs = "".join(
        f"<h2>{_words(chance, 3)}</h2><p>{_words(chance, 60)}.</p>" for _ in range(3)
    )
    items = "".join(f"<li>{_words(chance, 8)}</li>" for _ in range(5))
    rows = "".join(
        f"<tr><td>{_words(chance, 1)} {n}</td><td>{chance.randint(1, 9999)}</td></tr>"
        for n in range(5)
    )
    return f"{paragraphs}<p>Bring:</p><ul>{items}</ul><table><tbody><tr><th>What</th><th>How many</th></tr>{rows}</tbody></table>"


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(THINGS if n % 2 else DOES) for n in range(count))
