"""locales: in which language people use Slack"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0010'
down_revision: str | None = '0009'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    with op.batch_alter_table('person', schema=None) as batch_op:
        batch_op.add_column(sa.Column('locale', sa.String(), server_default='', nullable=False))
        batch_op.add_column(
            sa.Column('locale_read_at', sa.Float(), server_default='0', nullable=False)
        )


def downgrade() -> None:
    with op.batch_alter_table('person', schema=None) as batch_op:
        batch_op.drop_column('locale_read_at')
        batch_op.drop_column('locale')
