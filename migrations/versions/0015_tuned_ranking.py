"""tuned_ranking: weights chosen for an installation's own pages

The index of evidence by ACL goes: SQLite walked all open pieces by it instead of a few by their
ids, and no statement needs it.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0015'
down_revision: str | None = '0014'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'tuned_ranking',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('weights', sa.JSON(), nullable=False),
        sa.Column('figures', sa.JSON(), nullable=False),
        sa.Column('made_at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('id'),
    )
    op.drop_index('ix_evidence_acl_id', table_name='evidence')


def downgrade() -> None:
    op.create_index('ix_evidence_acl_id', 'evidence', ['acl_id'])
    op.drop_table('tuned_ranking')
