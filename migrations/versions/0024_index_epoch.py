"""index epoch: a mark of each revision of the index, so that another history is noticed"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0024'
down_revision: str | None = '0023'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'index_revision',
        sa.Column('revision', sa.Integer(), autoincrement=False, nullable=False),
        sa.Column('mark', sa.String(), nullable=False),
        sa.PrimaryKeyConstraint('revision'),
    )
    op.add_column('index_state', sa.Column('mark', sa.String(), nullable=False, server_default=''))


def downgrade() -> None:
    op.drop_column('index_state', 'mark')
    op.drop_table('index_revision')
