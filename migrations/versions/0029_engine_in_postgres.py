"""the engine in Postgres: words of pages in SQL, and which engine finds evidence"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0029'
down_revision: str | None = '0028'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

LENGTHS = ('title_length', 'path_length', 'body_length')


def whole(name: str, **more: bool) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, **more)


def text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def upgrade() -> None:
    op.create_table(
        'indexed_page',
        whole('number'),
        *map(text, ('source', 'page_id', 'title', 'belongs_to')),
        whole('terms'),
        sa.Column('unsettled', sa.Boolean(), nullable=False),
        *map(text, ('family', 'edition')),
        *map(whole, LENGTHS),
        sa.PrimaryKeyConstraint('number'),
        sa.UniqueConstraint('source', 'page_id'),
    )
    some = sa.text("family != ''")
    op.create_index('ix_indexed_page_family', 'indexed_page', ['family'], postgresql_where=some, sqlite_where=some)
    op.create_table(
        'section',
        whole('number'),
        whole('page'),
        text('acl_id'),
        whole('pieces'),
        *map(whole, LENGTHS),
        sa.PrimaryKeyConstraint('number'),
    )
    op.create_index('ix_section_page', 'section', ['page'])
    op.create_table(
        'indexed_piece',
        text('id'),
        *map(whole, ('page', 'place', 'section')),
        sa.PrimaryKeyConstraint('id'),
        sa.UniqueConstraint('page', 'place'),
    )
    for name, owner in (('piece_posting', 'section'), ('page_posting', 'page')):
        op.create_table(
            name,
            text('term'),
            whole(owner, autoincrement=False),
            sa.Column('postings', sa.LargeBinary(), nullable=False),
            sa.PrimaryKeyConstraint('term', owner),
        )
        op.create_index(f'ix_{name}_{owner}', name, [owner])
    op.create_table(
        'page_sign',
        text('kind'),
        text('sign'),
        whole('page', autoincrement=False),
        sa.PrimaryKeyConstraint('kind', 'sign', 'page'),
    )
    op.create_index('ix_page_sign_page', 'page_sign', ['page'])
    op.create_table('plain_word', text('word'), whole('since'), sa.PrimaryKeyConstraint('word'))
    op.create_index('ix_plain_word_since', 'plain_word', ['since'])
    # The defaults stay: a program of the version before may make the row.
    op.add_column('index_state', sa.Column('engine', sa.String(), nullable=False, server_default='host'))
    op.add_column('index_state', sa.Column('words_format', sa.Integer(), nullable=False, server_default='0'))


def downgrade() -> None:
    op.drop_column('index_state', 'words_format')
    op.drop_column('index_state', 'engine')
    for name in (
        'plain_word', 'page_sign', 'page_posting', 'piece_posting', 'indexed_piece', 'section', 'indexed_page',
    ):
        op.drop_table(name)
