"""explanations with verdicts: their picture, their unfinished calls, and who looks at details

Explanations of before have another form and are made again when somebody asks.
"""

from collections.abc import Sequence

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op


revision: str = '0004'
down_revision: str | None = '0003'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.execute('DELETE FROM explanation')
    with op.batch_alter_table('explanation', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('picture', sa.LargeBinary(), nullable=True))
    op.create_table('explanation_call',
    sa.Column('turn_id', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('key', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('repeat', sa.Integer(), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('usage', sa.JSON(), nullable=False),
    sa.ForeignKeyConstraint(['turn_id'], ['turn.id'], ),
    sa.PrimaryKeyConstraint('turn_id', 'key', 'repeat')
    )
    op.create_table('peek',
    sa.Column('view_id', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('turn_id', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('user', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', sa.Float(), nullable=False),
    sa.Column('state', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.ForeignKeyConstraint(['turn_id'], ['turn.id'], ),
    sa.PrimaryKeyConstraint('view_id')
    )
    with op.batch_alter_table('peek', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_peek_turn_id'), ['turn_id'], unique=False)


def downgrade() -> None:
    op.drop_table('peek')
    op.drop_table('explanation_call')
    with op.batch_alter_table('explanation', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('picture')
