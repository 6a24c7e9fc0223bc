"""several_workspaces: where the app is installed, its tokens being among the others"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0021'
down_revision: str | None = '0020'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'installation',
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('name', sa.String(), nullable=False),
        sa.Column('bot', sa.String(), nullable=False),
        sa.Column('bot_id', sa.String(), nullable=False),
        sa.Column('installed_by', sa.String(), nullable=False),
        sa.Column('installed_at', sa.Float(), nullable=False),
        sa.Column('refused', sa.String(), nullable=False),
        sa.PrimaryKeyConstraint('team'),
    )
    # Thanks and hints that nobody has said yet do not say for which workspace they are.
    op.execute("DELETE FROM afterwards WHERE kind = 'tell'")


def downgrade() -> None:
    op.drop_table('installation')
