"""questions by button: a follow-up that was suggested, or the same question without its filters"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0003'
down_revision: str | None = '0002'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    with op.batch_alter_table('turn', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('filtered', sa.Boolean(), nullable=False, server_default=sa.true()))
        batch_op.add_column(sa.Column('by_button', sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table('turn', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('by_button')
        batch_op.drop_column('filtered')
