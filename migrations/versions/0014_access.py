"""access: what was confirmed, which pages an answer gives away, linked accounts, news, audit log"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op


revision: str = '0014'
down_revision: str | None = '0013'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

UNKNOWN = 'unknown:'  # nobody's: it is never confirmed, and the first doubt finds out


def upgrade() -> None:
    op.create_table(
        'confirmation',
        sa.Column('audience', sa.String(), nullable=False),
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.Column('allowed', sa.Boolean(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
        sa.Column('until', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('audience', 'source', 'page_id'),
    )
    op.create_index('ix_confirmation_at', 'confirmation', ['at'])
    op.create_index('ix_confirmation_allowed', 'confirmation', ['allowed'])
    op.create_table(
        'turn_page',
        sa.Column('turn_id', sa.String(), nullable=False),
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.Column('audience', sa.String(), nullable=False),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id']),
        sa.PrimaryKeyConstraint('turn_id', 'source', 'page_id'),
    )
    op.create_index('ix_turn_page_page', 'turn_page', ['source', 'page_id'])
    op.create_table(
        'linked_account',
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('user', sa.String(), nullable=False),
        sa.Column('account', sa.String(), nullable=False),
        sa.Column('name', sa.String(), nullable=False),
        sa.Column('site', sa.String(), nullable=False),
        sa.Column('linked_at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('team', 'user'),
    )
    op.create_index('ix_linked_account_account', 'linked_account', ['account'])
    op.create_table(
        'token',
        sa.Column('owner', sa.String(), nullable=False),
        sa.Column('sealed', sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint('owner'),
    )
    op.create_table(
        'used_ticket',
        sa.Column('id', sa.String(), nullable=False),
        sa.Column('until', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('id'),
    )
    op.create_index('ix_used_ticket_until', 'used_ticket', ['until'])
    op.create_table(
        'page_news',
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('source', 'page_id'),
    )
    op.create_table(
        'audit',
        sa.Column('id', sa.String(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
        sa.Column('act', sa.String(), nullable=False),
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('actor', sa.String(), nullable=False),
        sa.Column('subject', sa.String(), nullable=False),
        sa.Column('details', sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint('id'),
    )
    op.create_index('ix_audit_at', 'audit', ['at'])
    with op.batch_alter_table('peek', schema=None) as batch_op:
        batch_op.add_column(sa.Column('audience', sa.String(), server_default='', nullable=False))
        batch_op.add_column(
            sa.Column('what', sa.String(), server_default='details', nullable=False)
        )
    op.add_column('turn', sa.Column('question_shows', sa.JSON(), nullable=True))
    _remember_pages(op.get_bind())


def _remember_pages(connection: sa.Connection) -> None:
    """Which pages the saved answers give away; whose eyes a private one is for, nobody wrote down."""
    turn = sa.table(
        'turn',
        sa.column('id', sa.String()),
        sa.column('private', sa.Boolean()),
        sa.column('record', sa.JSON()),
    )
    of_turn = sa.table(
        'turn_page',
        sa.column('turn_id', sa.String()),
        sa.column('source', sa.String()),
        sa.column('page_id', sa.String()),
        sa.column('audience', sa.String()),
    )
    ids = connection.execute(sa.select(turn.c.id).where(turn.c.record.is_not(None))).scalars().all()
    for turn_id in ids:
        query = sa.select(turn.c.private, turn.c.record).where(turn.c.id == turn_id)
        private, record = connection.execute(query).one()
        if not record:
            continue
        audience = UNKNOWN if private else ''
        rows = []
        for source, page_id in sorted(_pages(record)):
            row = {'turn_id': turn_id, 'source': source, 'page_id': page_id, 'audience': audience}
            rows.append(row)
        if rows:
            connection.execute(sa.insert(of_turn), rows)


def _pages(record: dict[str, Any]) -> set[tuple[str, str]]:
    found = set()
    for hit in record.get('hits') or ():
        for copy in (hit, *(hit.get('copies') or ())):
            source = copy['page'].get('source', 'confluence')
            found.add((source, copy['page']['id']))
            for name in copy['evidence'].get('names') or ():
                found.add((source, name))
    return found


def downgrade() -> None:
    op.drop_column('turn', 'question_shows')
    with op.batch_alter_table('peek', schema=None) as batch_op:
        batch_op.drop_column('what')
        batch_op.drop_column('audience')
    for table in ('audit', 'page_news', 'used_ticket', 'token', 'linked_account', 'turn_page', 'confirmation'):
        op.drop_table(table)
