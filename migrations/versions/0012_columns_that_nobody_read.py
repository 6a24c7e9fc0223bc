"""columns that nobody read: who changed settings is in the log, the rest was for nobody"""

from collections.abc import Sequence

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op


revision: str = '0012'
down_revision: str | None = '0011'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    with op.batch_alter_table('thread', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('created_at')
    with op.batch_alter_table('preferences', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('changed_by')
        batch_op.drop_column('changed_at')
    with op.batch_alter_table('space', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('read_at')


def downgrade() -> None:
    unknown = sa.text('0')
    with op.batch_alter_table('space', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('read_at', sa.Float(), nullable=False, server_default=unknown))
    with op.batch_alter_table('preferences', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('changed_at', sa.Float(), nullable=False, server_default=unknown))
        batch_op.add_column(sa.Column('changed_by', sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=''))
    with op.batch_alter_table('thread', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('created_at', sa.Float(), nullable=False, server_default=unknown))
