"""Makes the conversations about the handbook, with the pages that are right and their rivals.

A file of `talks/` is a list of conversations, each a list of turns:

- `page`: the key of the page that answers, or several;
- `en`, `de`: as asked; `full_en`, `full_de`: completed, where a turn needs its thread;
- `answer`: names of the page's facts, or text of it as it stands there;
- `tags`, `source`, `complex`: as in the benchmark; `subject`: where it is not the page's family.

The tags of the thread are derived: a first turn has none, a later one is `alone` or `follow-up`,
and `shift` or `return` where its subject is not that of the turn before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from evaluation.corpora.handbook.pages import FOLDER, Sheet

Json = dict[str, Any]


def conversations(sheets: Sequence[Sheet]) -> list[Json]:
    """All conversations, in the format of the benchmark."""
    known = {sheet.key: sheet for sheet in sheets}
    given: list[list[Json]] = []
    for file in sorted((FOLDER / "talks").glob("*.yaml")):
        given += yaml.safe_load(file.read_text(encoding="utf-8"))
    return [_talk(number, turns, known) for number, turns in enumerate(given, start=1)]


def _talk(number: int, given: Sequence[Json], known: Mapping[str, Sheet]) -> Json:
    return {"conv_id": str(number), "turns": list(_turns(given, known))}


def _turns(given: Sequence[Json], known: Mapping[str, Sheet]) -> Iterator[Json]:
    seen: list[str] = []
    for number, said in enumerate(given, start=1):
        keys = [said["page"]] if isinstance(said["page"], str) else said["page"]
        right = [known[key] for key in keys]
        subject = said.get("subject", right[0].family.key)
        yield {
            "turn_id": str(number),
            **_worded(said),
            **_answered(said, right),
            "rivals": _rivals(said, right, known),
            "tags": [*said.get("tags", []), *_of_thread(said, subject, seen)],
        }
        seen.append(subject)


def _worded(said: Json) -> Json:
    worded = {}
    for language in ("en", "de"):
        asked = said[language]
        worded[f"q_{language}"] = asked
        worded[f"completed_q_{language}"] = said.get(f"full_{language}", asked)
    return worded


def _answered(said: Json, right: Sequence[Sheet]) -> Json:
    facts = [right[0].values.get(name, name) for name in said["answer"]]
    return {
        "a": ", ".join(map(str, facts)),
        "facts": list(map(str, facts)),
        "a_url": [page.url for page in right],
        "a_source": said.get("source", "passage"),
        "q_type": "complex" if said.get("complex") else "simple",
        "page": right[0].key,
        "page_language": right[0].head.get("language", "en"),
    }


def _rivals(said: Json, right: Sequence[Sheet], known: Mapping[str, Sheet]) -> Mapping[str, str]:
    """Pages that look right and are not, or copies: what they are to the right one, by id.

    A changed copy that says the same of what is asked is neither right nor wrong, and left out.
    """
    found = {}
    for sheet in known.values():
        if sheet.family is right[0].family and sheet not in right:
            edition = sheet.stands_as(right[0])
            if edition != "changed" or _differs(sheet, right[0], said["answer"]):
                found[sheet.page_id] = edition
    for key, edition in said.get("rivals", {}).items():
        found[known[key].page_id] = edition
    return found


def _differs(sheet: Sheet, right: Sheet, asked: Sequence[str]) -> bool:
    return any(sheet.values.get(name) != right.values.get(name) for name in asked)


def _of_thread(said: Json, subject: str, seen: Sequence[str]) -> Iterator[str]:
    if not seen:
        return
    yield "follow-up" if "full_en" in said else "alone"
    if subject != seen[-1]:
        yield "return" if subject in seen else "shift"
