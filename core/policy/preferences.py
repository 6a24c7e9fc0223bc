"""Preferences of a channel or of a person's direct messages: kept in SQL, with defaults filled in.

`None` stands for the default. A value that has become stale, since its space is not synced or its
model not configured any more, counts as the default too, and is told apart so that people can be
shown it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field, field_validator, model_validator
from sqlmodel import col, select

from core.dialogue.decision import Attention
from core.manner import Context, Length, Manner, Mode, Tone
from core.policy.acl import OPEN_ID
from core.settings import Settings
from core.settings.values import FEWEST_EVIDENCE, LANGUAGES, MOST_EVIDENCE, Askers
from core.storage.database import Database
from core.storage.index_tables import PageRow, SpaceRow
from core.storage.people_tables import PreferencesRow
from core.storage.upsert import put
from core.value import Value

MOST_LISTED = 100  # people


class Preferences(Value):
    """What was chosen; the last four are for channels, the two before for people."""

    spaces: tuple[str, ...] | None = None  # keys
    model: str | None = None
    mode: Mode | None = None
    evidence: int | None = Field(None, ge=FEWEST_EVIDENCE, le=MOST_EVIDENCE)
    context: Context | None = None
    length: Length | None = None
    tone: Tone | None = None
    language: str | None = None  # empty: the question's
    spared: bool | None = None  # does not want to be asked for help with questions
    no_digest: bool | None = None  # does not want to be told of gaps in their pages
    askers: Askers | None = None
    listed: tuple[str, ...] = Field((), max_length=MOST_LISTED)  # ids of people
    helpers: tuple[str, ...] = Field((), max_length=MOST_LISTED)  # who is asked for help
    mention: Attention | None = None  # which replies in a thread of ours are answered

    @field_validator("spaces", "model")
    @classmethod
    def _nothing_is_the_default(
        cls,
        value: tuple[str, ...] | str | None,
    ) -> tuple[str, ...] | str | None:
        return value or None

    @field_validator("language")
    @classmethod
    def _is_known(cls, value: str | None) -> str | None:
        if value not in (None, "", *LANGUAGES):
            raise ValueError("not one of the languages that can be chosen")
        return value

    @model_validator(mode="after")
    def _names_somebody(self) -> Preferences:
        if self.askers is Askers.LISTED and not self.listed:
            raise ValueError("listed: nobody is named")
        return self


@dataclass(frozen=True)
class Choices:
    """What can be chosen here and now: spaces that everybody may read something of, and models."""

    spaces: Mapping[str, str]  # the name by the key
    models: tuple[str, ...]  # the default first


@dataclass(frozen=True)
class Rules:
    """What counts in a channel for those who ask."""

    askers: Askers = Askers.EVERYBODY
    listed: tuple[str, ...] = ()
    mention: Attention = Attention.SURE


@dataclass(frozen=True)
class Resolved:
    """What counts."""

    manner: Manner
    rules: Rules
    stale_spaces: tuple[str, ...] = ()  # chosen, and not there any more
    stale_model: str = ""


def load(
    database: Database,
    team: str,
    owner: str,
) -> Preferences:
    """What was chosen for a channel or by a person; defaults where nobody has chosen."""
    with database.reading() as session:
        row = session.get(PreferencesRow, (team, owner))
        return Preferences.model_validate(row.record) if row else Preferences()


def save(
    database: Database,
    team: str,
    owner: str,
    preferences: Preferences,
) -> None:
    row = PreferencesRow(
        team=team,
        owner=owner,
        record=preferences.model_dump(mode="json"),
    )
    with database.session() as session:
        put(session, row)


def choices(database: Database, settings: Settings) -> Choices:
    open_pages = select(PageRow.space).where(
        col(PageRow.visible),
        PageRow.acl_id == OPEN_ID,
    )
    with database.reading() as session:
        keys = sorted(session.exec(open_pages.distinct()).all())
        spaces = dict.fromkeys(keys, "")
        named = select(SpaceRow).where(col(SpaceRow.key).in_(keys))
        for row in session.exec(named).all():
            spaces[row.key] = row.name
    return Choices(spaces, settings.llm_model_names)


def resolve(
    chosen: Preferences,
    settings: Settings,
    there: Choices,
) -> Resolved:
    """Fill up what was chosen with the defaults."""
    wanted = chosen.spaces or ()
    known = tuple(key for key in wanted if key in there.spaces)
    stale_spaces = tuple(key for key in wanted if key not in there.spaces)
    by_default = tuple(key for key in settings.default_space_keys if key in there.spaces)
    model = chosen.model or ""
    is_stale = bool(model) and model not in there.models
    manner = Manner(
        spaces=known or by_default,
        model="" if is_stale else model,
        mode=chosen.mode or settings.default_mode,
        evidence=chosen.evidence or settings.default_evidence or 0,
        context=chosen.context or settings.default_context,
        length=chosen.length or settings.default_length,
        tone=chosen.tone or settings.default_tone,
        language=settings.default_language if chosen.language is None else chosen.language,
    )
    stale_model = model if is_stale else ""
    return Resolved(manner, rules(chosen, settings), stale_spaces, stale_model)


def rules(chosen: Preferences, settings: Settings) -> Rules:
    """Who may ask and how, with the defaults filled in; needs no look at spaces or models."""
    mention = settings.default_mention if chosen.mention is None else chosen.mention
    askers = chosen.askers or settings.default_askers
    return Rules(askers, chosen.listed, mention)


def resolved(
    database: Database,
    settings: Settings,
    team: str,
    owner: str,
) -> Resolved:
    """What counts for a channel or for a person's direct messages now."""
    return resolve(load(database, team, owner), settings, choices(database, settings))
