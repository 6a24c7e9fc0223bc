"""When each golden question was right last, kept beside their file, and what has changed since.

The questions, ids, versions and settings: no text of an answer or a page lies there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, ValidationError
from sqlmodel import col, select

from core.errors import SettingsError
from core.models import Page
from core.policy.acl import OPEN_ID
from core.settings import Settings
from core.storage.database import Database
from core.storage.index_tables import PageRow
from core.value import Value
from groundwire.golden.asking import GoldenAnswer
from groundwire.golden.questions import GoldenQuestion

# Of what decides an answer, beside the pages.
_DECIDE = ("llm_model", "embedder", "reranker", "ranking", "answerability")


class RightAnswer(Value):
    """What a right answer was made with."""

    at: str  # ISO 8601, UTC
    settings: dict[str, str]  # of those that decide answers, and the version of the program
    pages: dict[str, int]  # the version of each noted or cited page that everybody may read


class LastTime(Value):
    """By question: its last right answer; and those that were wrong the last time."""

    right: dict[str, RightAnswer] = Field(default_factory=dict)
    wrong: frozenset[str] = frozenset()


class BrokenAnswer(Value):
    """An answer that was right once and is not now, and what may have done it.

    `causes` are sentences; none where neither its pages nor the settings have changed.
    """

    outcome: GoldenAnswer
    last_right: str
    causes: tuple[str, ...] = ()


def place(path: Path) -> Path:
    """Of what is kept beside a file of questions."""
    return path.with_suffix(".last.json")


def load(path: Path) -> LastTime:
    """
    Raises:
        SettingsError: what is kept beside the questions is damaged.
    """
    beside = place(path)
    if not beside.exists():
        return LastTime()
    try:
        return LastTime.model_validate_json(beside.read_bytes())
    except (OSError, ValidationError) as error:
        raise SettingsError(f"{beside} cannot be read; delete it to begin anew") from error


def save(path: Path, kept: LastTime) -> None:
    """Written beside it and renamed: a kill leaves the old one."""
    new = place(path).with_suffix(".new")
    new.write_text(kept.model_dump_json(indent=1) + "\n", encoding="utf-8")
    new.replace(place(path))


class SinceLastTime:
    """Compares outcomes with the last time; `chosen` are the settings of now."""

    def __init__(
        self, database: Database, chosen: Settings, golden: Sequence[GoldenQuestion]
    ) -> None:
        self._database = database
        self._noted = {each.question: each.pages for each in golden}
        decide = {name: str(getattr(chosen, name)) for name in _DECIDE}
        # Of the endpoint only where it is: an address may hold a password.
        endpoint = urlsplit(str(chosen.llm_base_url or "")).hostname or ""
        self._settings = decide | {"llm_host": endpoint, "groundwire": version("groundwire")}

    def next(self, before: LastTime, outcomes: Sequence[GoldenAnswer]) -> LastTime:
        """What to keep: a question that broke keeps its last right answer until it is mended."""
        right: dict[str, RightAnswer] = {}
        for each in outcomes:
            if each.is_right:
                right[each.question] = self._as_now(each)
            elif each.question in before.right:
                right[each.question] = before.right[each.question]
        tried = {each.question for each in outcomes if each.is_tried}
        wrong = frozenset(each.question for each in outcomes if each.is_tried and not each.is_right)
        wrong |= before.wrong - tried
        return LastTime(right=right, wrong=wrong)

    def broken(self, before: LastTime, outcomes: Sequence[GoldenAnswer]) -> list[BrokenAnswer]:
        """What was right once and is not now."""
        found: list[BrokenAnswer] = []
        for each in outcomes:
            then = before.right.get(each.question)
            if then and each.is_tried and not each.is_right:
                causes = (*self._changed_pages(each, then), *self._changed_settings(then))
                found.append(BrokenAnswer(outcome=each, last_right=then.at, causes=causes))
        return found

    def _as_now(self, outcome: GoldenAnswer) -> RightAnswer:
        pages = {*self._noted[outcome.question], *outcome.sources}
        return RightAnswer(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            settings=self._settings,
            pages={key: page.version for key, page in _open(self._database, pages).items()},
        )

    def _changed_pages(self, now: GoldenAnswer, then: RightAnswer) -> Iterator[str]:
        known = _open(self._database, {*then.pages, *now.sources})
        for key, page in known.items():
            title, was = f"“{page.title}”", then.pages.get(key)
            if was is None:
                yield f"{title} is a source now"
            elif was != page.version:
                day = page.updated_at[:10]
                yield f"{title} was changed on {day} (version {was} to {page.version})"
        for key in sorted(then.pages.keys() - known.keys()):
            yield f"page {key} is gone, or not everybody may read it any more"

    def _changed_settings(self, then: RightAnswer) -> Iterator[str]:
        for name, value in self._settings.items():
            if then.settings.get(name) != value:
                yield f"{name} was {then.settings.get(name) or 'empty'}, is {value or 'empty'}"


def _open(database: Database, wanted: Iterable[str]) -> dict[str, Page]:
    """Those of these pages that everybody may read now."""
    query = select(PageRow).where(
        col(PageRow.id).in_(sorted(wanted)), col(PageRow.visible), PageRow.acl_id == OPEN_ID
    )
    with database.reading() as session:
        rows = session.exec(query.order_by(col(PageRow.id))).all()
    return {row.id: Page.model_validate(row.record) for row in rows}
