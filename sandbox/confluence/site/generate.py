"""Generated pages of a fictional harbour, in a tree, for benchmarks; always the same."""

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


def fill(content: Content, space: str, pages: int, *, is_new: bool = False) -> None:
    """Add this many pages to a space, edited long ago as most pages of a wiki, or now."""
    made: list[str] = []
    for number in range(pages):
        parent = made[(number - 1) // BRANCHES] if made else None
        title = f"Page {number} about a {THINGS[number % len(THINGS)]}"
        page = Entry("", space, title, _body(random.Random(number)), parent_id=parent)
        created = content.create(page)
        if not is_new:
            created.updated_at = page.updated_at
        made.append(created.id)


def _body(chance: random.Random) -> str:
    """Paragraphs under headings, a list and a table."""
    paragraphs = "".join(
        f"<h2>{_words(chance, 3)}</h2><p>{_words(chance, 60)}.</p>" for _ in range(3)
    )
    items = "".join(f"<li>{_words(chance, 8)}</li>" for _ in range(5))
    rows = ""
    for number in range(5):
        thing = f"{_words(chance, 1)} {number}"
        rows += f"<tr><td>{thing}</td><td>{chance.randint(1, 9999)}</td></tr>"
    table = f"<tr><th>What</th><th>How many</th></tr>{rows}"
    return f"{paragraphs}<p>Bring:</p><ul>{items}</ul><table><tbody>{table}</tbody></table>"


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(THINGS if n % 2 else DOES) for n in range(count))
