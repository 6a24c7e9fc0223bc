"""access: what was confirmed, which pages an answer gives away, linked accounts, news, audit log"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0014'
down_revision: str | None = '0013'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'confirmation',
        sa.Column('audience', sa.String(), nullable=False),
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.Column('allowed', sa.Boolean(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('audience', 'source', 'page_id'),
    )
    op.create_index('ix_confirmation_at', 'confirmation', ['at'])
    op.create_table(
        'turn_page',
        sa.Column('turn_id', sa.String(), nullable=False),
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id']),
        sa.PrimaryKeyConstraint('turn_id', 'source', 'page_id'),
    )
    op.create_index('ix_turn_page_page', 'turn_page', ['source', 'page_id'])
    op.create_table(
        'linked_account',
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('user', sa.String(), nullable=False),
        sa.Column('account', sa.String(), nullable=False),
        sa.Column('site', sa.String(), nullable=False),
        sa.Column('tokens', sa.LargeBinary(), nullable=False),
        sa.Column('linked_at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('team', 'user'),
    )
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


def downgrade() -> None:
    op.drop_column('turn', 'question_shows')
    with op.batch_alter_table('peek', schema=None) as batch_op:
        batch_op.drop_column('what')
        batch_op.drop_column('audience')
    for table in ('audit', 'page_news', 'linked_account', 'turn_page', 'confirmation'):
        op.drop_table(table)
