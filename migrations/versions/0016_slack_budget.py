"""slack_budget: how many calls Slack still takes, while Redis is away"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0016'
down_revision: str | None = '0015'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'slack_budget',
        sa.Column('name', sa.String(), nullable=False),
        sa.Column('window', sa.String(), nullable=False),
        sa.PrimaryKeyConstraint('name'),
    )


def downgrade() -> None:
    op.drop_table('slack_budget')
