"""facts of answers and the pages they cite: what the console counts, without a word of them"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0025'
down_revision: str | None = '0024'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'turn_facts',
        sa.Column('turn_id', sa.String(), nullable=False),
        sa.Column('asked_at', sa.Float(), nullable=False),
        sa.Column('day', sa.Integer(), nullable=False),
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('channel', sa.String(), nullable=False),
        sa.Column('user', sa.String(), nullable=False),
        sa.Column('private', sa.Boolean(), nullable=False),
        sa.Column('found', sa.Boolean(), nullable=False),
        sa.Column('badge', sa.String(), nullable=False),
        sa.Column('seconds', sa.Float(), nullable=False),
        sa.Column('model', sa.String(), nullable=False),
        sa.Column('space', sa.String(), nullable=False),
        sa.Column('prompt_tokens', sa.Integer(), nullable=False),
        sa.Column('completion_tokens', sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('turn_id'),
    )
    op.create_index('ix_turn_facts_asked_at', 'turn_facts', ['asked_at'])
    op.create_table(
        'cited_page',
        sa.Column('turn_id', sa.String(), nullable=False),
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.Column('asked_at', sa.Float(), nullable=False),
        sa.Column('found', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('turn_id', 'source', 'page_id'),
    )
    op.create_index('ix_cited_page_asked_at', 'cited_page', ['asked_at'])
    op.create_index(
        'ix_cited_page_page',
        'cited_page',
        ['source', 'page_id', 'asked_at', 'found', 'turn_id'],
    )
    op.create_index('ix_explanation_requested_at', 'explanation', ['requested_at'])


def downgrade() -> None:
    op.drop_index('ix_explanation_requested_at', 'explanation')
    op.drop_table('cited_page')
    op.drop_table('turn_facts')
