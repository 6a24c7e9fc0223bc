"""weekly digests, gaps that somebody calls fixed, and channels that were welcomed"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0026'
down_revision: str | None = '0025'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'digest',
        sa.Column('id', sa.String(), nullable=False),
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('whom', sa.String(), nullable=False),
        sa.Column('week', sa.Integer(), nullable=False),
        sa.Column('user', sa.String(), nullable=False),
        sa.Column('begun_at', sa.Float(), nullable=True),
        sa.Column('channel', sa.String(), nullable=False),
        sa.Column('ts', sa.String(), nullable=False),
        sa.Column('edition', sa.Integer(), nullable=False),
        sa.Column('shown', sa.Integer(), nullable=False),
        sa.Column('said_at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('id'),
        sa.UniqueConstraint('team', 'whom', 'week', name='uq_digest'),
    )
    op.create_table(
        'digest_gap',
        sa.Column('digest_id', sa.String(), nullable=False),
        sa.Column('number', sa.Integer(), nullable=False),
        sa.Column('people', sa.Integer(), nullable=False),
        sa.Column('asked', sa.Integer(), nullable=False),
        sa.Column('draft', sa.String(), nullable=False),
        sa.ForeignKeyConstraint(['digest_id'], ['digest.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('digest_id', 'number'),
    )
    op.create_table(
        'digest_question',
        sa.Column('digest_id', sa.String(), nullable=False),
        sa.Column('turn_id', sa.String(), nullable=False),
        sa.Column('number', sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(['digest_id'], ['digest.id'], ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('digest_id', 'turn_id'),
    )
    op.create_index('ix_digest_question_turn_id', 'digest_question', ['turn_id'])
    op.create_table(
        'digest_page',
        sa.Column('digest_id', sa.String(), nullable=False),
        sa.Column('number', sa.Integer(), nullable=False),
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.Column('is_near', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['digest_id'], ['digest.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('digest_id', 'number', 'source', 'page_id'),
    )
    op.create_table(
        'gap_fix',
        sa.Column('id', sa.String(), nullable=False),
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('digest_id', sa.String(), nullable=False),
        sa.Column('marked_by', sa.String(), nullable=False),
        sa.Column('marked_at', sa.Float(), nullable=False),
        sa.Column('asked_at', sa.Float(), nullable=True),
        sa.Column('told_at', sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint('id'),
    )
    op.create_index('ix_gap_fix_asked_at', 'gap_fix', ['asked_at'])
    op.create_table(
        'gap_fix_question',
        sa.Column('fix_id', sa.String(), nullable=False),
        sa.Column('turn_id', sa.String(), nullable=False),
        sa.Column('outcome', sa.String(), nullable=False),
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.ForeignKeyConstraint(['fix_id'], ['gap_fix.id'], ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['turn_id'], ['turn.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('fix_id', 'turn_id'),
    )
    op.create_index('ix_gap_fix_question_turn_id', 'gap_fix_question', ['turn_id'])
    op.create_table(
        'welcome',
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('channel', sa.String(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('team', 'channel'),
    )


def downgrade() -> None:
    op.drop_table('welcome')
    op.drop_table('gap_fix_question')
    op.drop_table('gap_fix')
    op.drop_table('digest_page')
    op.drop_table('digest_question')
    op.drop_table('digest_gap')
    op.drop_table('digest')
