"""questions live: what was edited, and what is taken up again by itself"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0017'
down_revision: str | None = '0016'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    with op.batch_alter_table('turn', schema=None) as batch_op:
        batch_op.add_column(
            sa.Column('edited_ts', sa.String(), nullable=False, server_default='')
        )
        batch_op.add_column(
            sa.Column('replaced_by', sa.String(), nullable=False, server_default='')
        )
        batch_op.add_column(sa.Column('take_up_until', sa.Float(), nullable=True))
        batch_op.add_column(
            sa.Column('taken_up', sa.Integer(), nullable=False, server_default='0')
        )
        batch_op.create_index('ix_turn_replaced_by', ['replaced_by'])
        batch_op.create_index('ix_turn_take_up_until', ['take_up_until'])


def downgrade() -> None:
    with op.batch_alter_table('turn', schema=None) as batch_op:
        batch_op.drop_index('ix_turn_take_up_until')
        batch_op.drop_index('ix_turn_replaced_by')
        batch_op.drop_column('taken_up')
        batch_op.drop_column('take_up_until')
        batch_op.drop_column('replaced_by')
        batch_op.drop_column('edited_ts')
