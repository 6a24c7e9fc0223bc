"""question and answer pairs"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0027'
down_revision: str | None = '0026'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'pair',
        sa.Column('id', sa.String(), nullable=False),
        sa.Column('question', sa.String(), nullable=False),
        sa.Column('answer', sa.String(), nullable=False),
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.Column('evidence_id', sa.String(), nullable=False),
        sa.Column('turn_id', sa.String(), nullable=True),
        sa.Column('origin', sa.String(), nullable=False),
        sa.Column('state', sa.String(), nullable=False),
        sa.Column('made_at', sa.Float(), nullable=False),
        sa.Column('decided_at', sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id'),
    )
    for column in ('page_id', 'evidence_id', 'turn_id', 'state'):
        op.create_index(f'ix_pair_{column}', 'pair', [column])


def downgrade() -> None:
    op.drop_table('pair')
