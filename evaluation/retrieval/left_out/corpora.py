"""The corpora that are left out in turn: whose pages they are, and what is asked about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any

import yaml

from core.language import language
from evaluation.corpora.clinic import write as clinic
from evaluation.corpora.handbook import write as handbook
from evaluation.corpus import write as railway
from evaluation.corpus.command import SEED
from evaluation.retrieval.own import AWARE
from evaluation.sets.confquestions import DataMissing, Question, conversations
from sandbox.confluence.__main__ import SAMPLE
from sandbox.confluence.site.load import load

LANGUAGES = ("en", "de")
Conversations = Sequence[Sequence[Question]]
Write = Callable[[Path, int], object]


@dataclass(frozen=True)
class Corpus:
    """Pages, and conversations about them by language."""

    name: str
    pages: Path
    asked: Mapping[str, Conversations]
    language: str = "en"  # of most pages
    # Of the index: the corpora that we generate have pages for some groups alone.
    settings: Mapping[str, str] = field(default_factory=dict)


def available(data: Path | None, folder: Path) -> dict[str, Callable[[], Corpus]]:
    """What makes each corpus, by its name; ConfQuestions only where its folder is known."""
    makers: dict[str, Callable[[], Corpus]] = {}
    if data is not None:
        makers["confquestions"] = partial(confquestions, data)
    for name, (write, code) in GENERATED.items():
        makers[name] = partial(generated, name, write, folder / name, language=code)
    makers["sample"] = sample
    return makers


# What writes each, and the language of most of its pages.
GENERATED: Mapping[str, tuple[Write, str]] = {
    "railway": (railway.write, "en"),
    "handbook": (handbook.write, "en"),
    "clinic": (clinic.write, "de"),
}


def confquestions(data: Path) -> Corpus:
    """The half of ConfQuestions to develop with.

    Raises:
        DataMissing: the folder does not hold it.
    """
    if not (data / "documents").is_dir():
        raise DataMissing(f"{data} has no folder documents/")
    asked = _asked(data / "qa-pairs.json")
    return Corpus("confquestions", data / "documents", asked)


def generated(
    name: str,
    write: Write,
    folder: Path,
    *,
    language: str,
) -> Corpus:
    """A corpus of ours, written anew from its seed."""
    if folder.exists():
        rmtree(folder)
    folder.mkdir(parents=True)
    write(folder, SEED)
    asked = _asked(folder / railway.QUESTIONS)
    return Corpus(name, folder / railway.PAGES, asked, language, AWARE)


def sample() -> Corpus:
    """The sample company; its follow-ups have no completion by a person."""
    titles = _ids_by_title(SAMPLE)
    asked = defaultdict[str, list[list[Question]]](list)
    items = yaml.safe_load((SAMPLE / "questions.yaml").read_text(encoding="utf-8"))
    for items_of_one in _threads(items):
        turns = list(_turns(items_of_one, titles))
        spoken = language(*(turn.asked for turn in turns)) or "en"
        asked[spoken].append(turns)
    return Corpus("sample", SAMPLE, asked)


def _asked(file: Path) -> dict[str, Conversations]:
    return {code: conversations(file, code) for code in LANGUAGES}


def _ids_by_title(pages: Path) -> dict[str, str]:
    return {entry.title: entry.id for entry in load(pages).entries.values()}


def _threads(items: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """Each question with those that follow it."""
    threads: dict[str, list[Mapping[str, Any]]] = {}
    for item in items:
        thread = threads.setdefault(item.get("after", item["question"]), [])
        thread.append(item)
        threads[item["question"]] = thread
    seen = {id(thread): thread for thread in threads.values()}
    yield from seen.values()


def _turns(items: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> Iterator[Question]:
    first = items[0]["question"]
    for number, item in enumerate(items, start=1):
        is_follow_up = number > 1
        yield Question(
            conversation=first,
            turn=number,
            asked=item["question"],
            completed="" if is_follow_up else item["question"],
            answer=" ".join(map(str, item["words"])),
            gold_urls=(titles[item["page"]],),
            source="passage",
            is_complex=False,
            tags=("follow-up",) if is_follow_up else (),
            facts=tuple(map(str, item["words"])),
        )
