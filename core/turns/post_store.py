"""Posts: our messages, saved before Slack shows them so that none comes twice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select, update

from core.jobs.leases import fenced
from core.states import PostKind
from core.storage.database import Database
from core.storage.tables import PostRow
from core.turns.turn import Turn


@dataclass(frozen=True)
class Post:
    """A message of ours; `ts` is None until Slack has told us."""

    id: str
    turn_id: str
    kind: PostKind
    number: int  # a long answer has several
    channel: str
    ts: str | None
    file: str = ""  # the id of a picture that it shows
    new: bool = False  # saved by this very call: Slack cannot have it yet


def ensure(
    database: Database,
    turn: Turn,
    kind: PostKind,
    number: int = 1,
) -> Post:
    """The post of this kind for this turn, saved before Slack is asked to show it."""
    try:
        with fenced(database) as session:
            row = _post_row(session, turn.id, kind, number)
            if row is None:
                row = PostRow(
                    turn_id=turn.id,
                    kind=kind,
                    number=number,
                    channel=turn.address.channel,
                )
                session.add(row)
                return replace(_post(row), new=True)
            return _post(row)
    except IntegrityError:  # somebody else wrote it at the same moment
        return ensure(database, turn, kind, number)


def save_place(
    database: Database,
    post_id: str,
    ts: str,
    channel: str = "",
) -> None:
    """`channel`: where Slack has put it, if that was not known before."""
    place = {"ts": ts, "channel": channel} if channel else {"ts": ts}
    with fenced(database) as session:
        session.exec(update(PostRow).where(col(PostRow.id) == post_id).values(place))


def save_file(
    database: Database,
    turn_id: str,
    kind: PostKind,
    file: str,
) -> None:
    """Save which picture a post is about to show, so that it can be deleted with it."""
    post = update(PostRow).where(
        col(PostRow.turn_id) == turn_id,
        col(PostRow.kind) == kind,
    )
    with fenced(database) as session:
        session.exec(post.values(file=file))


def of_turn(database: Database, turn_id: str) -> tuple[Post, ...]:
    """All our messages about a turn."""
    query = select(PostRow).where(PostRow.turn_id == turn_id)
    with database.reading() as session:
        return tuple(_post(row) for row in session.exec(query).all())


def drop(database: Database, post: Post) -> None:
    """Forget a message that is gone from Slack."""
    with fenced(database) as session:
        session.exec(delete(PostRow).where(col(PostRow.id) == post.id))


def at_place(
    database: Database,
    channel: str,
    ts: str,
) -> Post | None:
    """The post that stands at this place; reactions carry nothing but the place."""
    query = select(PostRow).where(
        PostRow.channel == channel,
        PostRow.ts == ts,
    )
    with database.reading() as session:
        row = session.exec(query).first()
        return _post(row) if row else None


def _post_row(
    session: Session,
    turn_id: str,
    kind: PostKind,
    number: int,
) -> PostRow | None:
    query = select(PostRow).where(
        PostRow.turn_id == turn_id,
        PostRow.kind == kind,
        PostRow.number == number,
    )
    return session.exec(query).first()


def _post(row: PostRow) -> Post:
    return Post(
        id=row.id,
        turn_id=row.turn_id,
        kind=PostKind(row.kind),
        number=row.number,
        channel=row.channel,
        ts=row.ts,
        file=row.file,
    )
