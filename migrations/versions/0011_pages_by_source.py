"""pages by source: an id means one page only within the source that it comes from

Everything of before comes from Confluence. Tables whose key changes are made anew and filled, since SQLite cannot change a key and
refuses to drop a table that others point to. The ids of evidence get their source in front, as the indexer makes them now, so the
vectors in Chroma find nothing until the indexer's next round, which sees that and makes them anew from SQL without embedding
anything; until then questions are answered by words. What pages mention becomes values with fields.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op


revision: str = '0011'
down_revision: str | None = '0010'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

SOURCE = 'confluence'
ROWS = 500  # read and written at once
_TEXT = sqlmodel.sql.sqltypes.AutoString
_INDICES = {
    'page': ('space', 'title', 'revision', 'acl_id'),
    'evidence': ('page_id', 'acl_id', 'text_hash'),
}
Row = dict[str, Any]


def upgrade() -> None:
    op.add_column('sync', sa.Column('source', _TEXT(), nullable=False, server_default=SOURCE))
    for table, columns in _INDICES.items():
        for column in columns:
            op.drop_index(f'ix_{table}_{column}', table_name=table)
    for table in ('space', 'page', 'evidence'):
        op.rename_table(table, f'{table}_before')
    _fill('space_before', _space(), lambda row: {**row, 'source': SOURCE})
    _fill('page_before', _page(), lambda row: {**row, 'source': SOURCE, 'names': [*map(_mention, row['names'])]})
    _fill('evidence_before', _evidence(), _with_source)
    for table in ('evidence', 'page', 'space'):
        op.drop_table(f'{table}_before')
    for column in _INDICES['page']:
        op.create_index(f'ix_page_{column}', 'page', [column])
    op.create_index('ix_evidence_page', 'evidence', ['source', 'page_id'])
    op.create_index('ix_evidence_acl_id', 'evidence', ['acl_id'])
    op.create_index('ix_evidence_text_hash', 'evidence', ['text_hash'])


def downgrade() -> None:
    raise NotImplementedError("pages of two sources may share an id: restore the database from before")


def _space() -> sa.Table:
    return op.create_table('space',
    sa.Column('source', _TEXT(), nullable=False),
    sa.Column('key', _TEXT(), nullable=False),
    sa.Column('name', _TEXT(), nullable=False),
    sa.Column('readers', sa.JSON(none_as_null=True), nullable=True),
    sa.Column('read_at', sa.Float(), nullable=False),
    sa.PrimaryKeyConstraint('source', 'key')
    )


def _page() -> sa.Table:
    return op.create_table('page',
    sa.Column('source', _TEXT(), nullable=False),
    sa.Column('id', _TEXT(), nullable=False),
    sa.Column('space', _TEXT(), nullable=False),
    sa.Column('title', _TEXT(), nullable=False),
    sa.Column('record', sa.JSON(), nullable=False),
    sa.Column('body_hash', _TEXT(), nullable=False),
    sa.Column('made_by', _TEXT(), nullable=False),
    sa.Column('revision', sa.Integer(), nullable=False),
    sa.Column('visible', sa.Boolean(), nullable=False),
    sa.Column('acl_id', _TEXT(), nullable=False),
    sa.Column('readers', sa.JSON(none_as_null=True), nullable=True),
    sa.Column('names', sa.JSON(), nullable=False),
    sa.Column('extras', _TEXT(), nullable=False),
    sa.Column('scanned_at', sa.Float(), nullable=False),
    sa.Column('missing_since', sa.Float(), nullable=True),
    sa.Column('error', _TEXT(), nullable=False),
    sa.Column('failures', sa.Integer(), nullable=False),
    sa.Column('next_try', sa.Float(), nullable=False),
    sa.PrimaryKeyConstraint('source', 'id')
    )


def _evidence() -> sa.Table:
    return op.create_table('evidence',
    sa.Column('id', _TEXT(), nullable=False),
    sa.Column('source', _TEXT(), nullable=False),
    sa.Column('page_id', _TEXT(), nullable=False),
    sa.Column('acl_id', _TEXT(), nullable=False),
    sa.Column('record', sa.JSON(), nullable=False),
    sa.Column('text_hash', _TEXT(), nullable=False),
    sa.ForeignKeyConstraint(['source', 'page_id'], ['page.source', 'page.id']),
    sa.PrimaryKeyConstraint('id')
    )


def _fill(before: str, table: sa.Table, convert: Callable[[Row], Row]) -> None:
    for rows in _rows(before, table):
        op.bulk_insert(table, [convert(row) for row in rows])


def _rows(before: str, table: sa.Table) -> Iterator[list[Row]]:
    """The old rows by their key, with the columns that the new table has too."""
    columns = [sa.column(each.name, each.type) for each in table.columns if each.name != 'source']
    old = sa.table(before, *columns)
    key = old.c.key if 'key' in old.c else old.c.id
    last = ''
    while True:
        found = op.get_bind().execute(sa.select(old).where(key > last).order_by(key).limit(ROWS)).mappings().all()
        if not found:
            return
        last = found[-1][key.name]
        yield [dict(row) for row in found]


def _with_source(row: Row) -> Row:
    name = f"{SOURCE}:{row['id']}"
    return {**row, 'source': SOURCE, 'id': name, 'record': {**row['record'], 'id': name}}


def _mention(said: list[str]) -> Row:
    """`child`, id, ACL, title; or `link`, id, space, title as written, title as shown."""
    kind, *rest = said
    names = ('id', 'acl_id', 'shown') if kind == 'child' else ('id', 'space', 'title', 'shown')
    return {'kind': kind, **dict(zip(names, rest, strict=True))}
