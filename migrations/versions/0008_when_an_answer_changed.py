"""when an answer changed: from when on its re-delivery is tried"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0008'
down_revision: str | None = '0007'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    with op.batch_alter_table('turn', schema=None) as batch_op:
        batch_op.add_column(sa.Column('changed_at', sa.Float(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table('turn', schema=None) as batch_op:
        batch_op.drop_column('changed_at')
