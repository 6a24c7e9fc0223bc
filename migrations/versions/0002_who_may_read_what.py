"""who may read what

Tables are altered in place, not rebuilt: SQLite refuses to drop a table that others point to. Evidence of before is what everybody
may read; who else may read its pages is unknown until the next sync.
"""

from collections.abc import Sequence

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op


revision: str = '0002'
down_revision: str | None = '0001'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table('account',
    sa.Column('id', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('name', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('email', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.PrimaryKeyConstraint('id')
    )
    with op.batch_alter_table('account', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_account_email'), ['email'], unique=False)

    op.create_table('acl',
    sa.Column('id', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('clauses', sa.JSON(), nullable=False),
    sa.PrimaryKeyConstraint('id')
    )
    op.create_table('member',
    sa.Column('group', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('account', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.PrimaryKeyConstraint('group', 'account')
    )
    with op.batch_alter_table('member', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_member_account'), ['account'], unique=False)

    op.create_table('person',
    sa.Column('team', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('user', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('email', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('read_at', sa.Float(), nullable=False),
    sa.PrimaryKeyConstraint('team', 'user')
    )
    op.create_table('space',
    sa.Column('key', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('name', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('readers', sa.JSON(none_as_null=True), nullable=True),
    sa.Column('read_at', sa.Float(), nullable=False),
    sa.PrimaryKeyConstraint('key')
    )
    with op.batch_alter_table('evidence', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('acl_id', sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default='open'))
        batch_op.create_index(batch_op.f('ix_evidence_acl_id'), ['acl_id'], unique=False)

    with op.batch_alter_table('index_state', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('identity', sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=''))
        batch_op.add_column(sa.Column('generation', sa.Integer(), nullable=False, server_default='0'))
        batch_op.add_column(sa.Column('embedder', sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=''))
        batch_op.add_column(sa.Column('collection', sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=''))

    with op.batch_alter_table('page', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('title', sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=''))
        batch_op.add_column(sa.Column('acl_id', sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default='open'))
        batch_op.add_column(sa.Column('readers', sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column('names', sa.JSON(), nullable=False, server_default='[]'))
        batch_op.add_column(sa.Column('extras', sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default=''))
        batch_op.add_column(sa.Column('scanned_at', sa.Float(), nullable=False, server_default='0'))
        batch_op.create_index(batch_op.f('ix_page_acl_id'), ['acl_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_page_title'), ['title'], unique=False)
        batch_op.drop_column('restricted')
        batch_op.drop_column('restrictions_read_at')

    with op.batch_alter_table('turn', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('private', sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    raise NotImplementedError("who may read what cannot be forgotten: restore the database from before")
