"""hand_over: questions that a person was asked to help with"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0020'
down_revision: str | None = '0019'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'hand_over',
        sa.Column('turn_id', sa.String(), nullable=False),
        sa.Column('asked_by', sa.String(), nullable=False),
        sa.Column('asked_at', sa.Float(), nullable=False),
        sa.Column('state', sa.String(), nullable=False),
        sa.Column('whom', sa.String(), nullable=False),
        sa.Column('account', sa.String(), nullable=False),
        sa.Column('resolved_by', sa.String(), nullable=False),
        sa.Column('should_say', sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id']),
        sa.PrimaryKeyConstraint('turn_id'),
    )
    op.create_table(
        'hand_over_person',
        sa.Column('turn_id', sa.String(), nullable=False),
        sa.Column('user', sa.String(), nullable=False),
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('account', sa.String(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id']),
        sa.PrimaryKeyConstraint('turn_id', 'user'),
    )
    op.create_index('ix_hand_over_person_at', 'hand_over_person', ['at'])


def downgrade() -> None:
    op.drop_index('ix_hand_over_person_at', table_name='hand_over_person')
    op.drop_table('hand_over_person')
    op.drop_table('hand_over')
