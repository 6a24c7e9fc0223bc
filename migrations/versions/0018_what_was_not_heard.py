"""What was not heard: until when Slack reached us, what is still to be read, how late a question is

Revision ID: 0018
Revises: 0017
Create Date: 2026-11-22

A workspace of which nothing is known yet has nothing to be caught up.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0018'
down_revision: str | None = '0017'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'heard',
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('until', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('team'),
    )
    op.create_table(
        'gap',
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('channel', sa.String(), nullable=False),
        sa.Column('thread_ts', sa.String(), nullable=False),
        sa.Column('direct', sa.Boolean(), nullable=False),
        sa.Column('since', sa.Float(), nullable=False),
        sa.Column('opened_at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('team', 'channel', 'thread_ts'),
    )
    with op.batch_alter_table('turn', recreate='never') as batch:
        batch.add_column(sa.Column('late_s', sa.Float(), nullable=False, server_default='0'))
        batch.add_column(
            sa.Column('has_files', sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch.add_column(sa.Column('beside', sa.String(), nullable=False, server_default=''))


def downgrade() -> None:
    with op.batch_alter_table('turn', recreate='never') as batch:
        batch.drop_column('beside')
        batch.drop_column('has_files')
        batch.drop_column('late_s')
    op.drop_table('gap')
    op.drop_table('heard')
