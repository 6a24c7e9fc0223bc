"""attachments: files that wait to be read, and what became of the others"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0023'
down_revision: str | None = '0022'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'attachment',
        sa.Column('source', sa.String(), nullable=False),
        sa.Column('id', sa.String(), nullable=False),
        sa.Column('page_id', sa.String(), nullable=False),
        sa.Column('name', sa.String(), nullable=False),
        sa.Column('version', sa.Integer(), nullable=False),
        sa.Column('size', sa.Integer(), nullable=False),
        sa.Column('download', sa.String(), nullable=False),
        sa.Column('state', sa.String(), nullable=False),
        sa.Column('reason', sa.String(), nullable=False),
        sa.Column('data_hash', sa.String(), nullable=False),
        sa.Column('converter', sa.String(), nullable=False),
        sa.Column('since', sa.Float(), nullable=False),
        sa.Column('tried_at', sa.Float(), nullable=False),
        sa.Column('failures', sa.Integer(), nullable=False),
        sa.Column('next_try', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('source', 'id'),
    )
    op.create_index('ix_attachment_page_id', 'attachment', ['page_id'])
    op.create_table(
        'conversion',
        sa.Column('data_hash', sa.String(), nullable=False),
        sa.Column('converter', sa.String(), nullable=False),
        sa.Column('text', sa.String(), nullable=False),
        sa.Column('reason', sa.String(), nullable=False),
        sa.PrimaryKeyConstraint('data_hash', 'converter'),
    )


def downgrade() -> None:
    op.drop_table('conversion')
    op.drop_index('ix_attachment_page_id', table_name='attachment')
    op.drop_table('attachment')
