"""what is kept, who may ask how much

Turns can be hidden and forgotten, votes have a reason, people a standing (whoever was met before is asked for again), and what
questions cost is counted by day.
"""

from collections.abc import Sequence

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op


revision: str = '0005'
down_revision: str | None = '0004'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_TEXT = sqlmodel.sql.sqltypes.AutoString


def upgrade() -> None:
    with op.batch_alter_table('turn', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('hidden', sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.add_column(sa.Column('edition', sa.Integer(), nullable=False, server_default='0'))
        batch_op.create_index('ix_turn_of_person', ['team', 'user', 'asked_at'], unique=False)
        batch_op.create_index('ix_turn_of_channel', ['team', 'channel', 'asked_at'], unique=False)
        batch_op.create_index('ix_turn_of_day', ['team', 'asked_at', 'reason'], unique=False)
        batch_op.create_index('ix_turn_asked_at', ['asked_at'], unique=False)
    with op.batch_alter_table('post', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('file', _TEXT(), nullable=False, server_default=''))
    for table in ('feedback', 'feedback_history'):
        with op.batch_alter_table(table, schema=None, recreate='never') as batch_op:
            batch_op.add_column(sa.Column('reason', _TEXT(), nullable=False, server_default=''))
    with op.batch_alter_table('feedback', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('by', _TEXT(), nullable=False, server_default=''))
    with op.batch_alter_table('person', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('standing', _TEXT(), nullable=False, server_default='unknown'))
    op.create_table('spent',
    sa.Column('day', _TEXT(), nullable=False),
    sa.Column('team', _TEXT(), nullable=False),
    sa.Column('user', _TEXT(), nullable=False),
    sa.Column('tokens', sa.Integer(), nullable=False),
    sa.Column('money', sa.Float(), nullable=False),
    sa.PrimaryKeyConstraint('day', 'team', 'user')
    )
    op.create_table('installation_key',
    sa.Column('name', _TEXT(), nullable=False),
    sa.Column('value', _TEXT(), nullable=False),
    sa.PrimaryKeyConstraint('name')
    )


def downgrade() -> None:
    op.drop_table('installation_key')
    op.drop_table('spent')
    with op.batch_alter_table('person', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('standing')
    with op.batch_alter_table('feedback', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('by')
    for table in ('feedback', 'feedback_history'):
        with op.batch_alter_table(table, schema=None, recreate='never') as batch_op:
            batch_op.drop_column('reason')
    with op.batch_alter_table('post', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('file')
    with op.batch_alter_table('turn', schema=None, recreate='never') as batch_op:
        batch_op.drop_index('ix_turn_asked_at')
        batch_op.drop_index('ix_turn_of_day')
        batch_op.drop_index('ix_turn_of_channel')
        batch_op.drop_index('ix_turn_of_person')
        batch_op.drop_column('edition')
        batch_op.drop_column('hidden')
