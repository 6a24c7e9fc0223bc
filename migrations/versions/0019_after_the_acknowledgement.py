"""after_the_acknowledgement: what listeners put off, and turns whose asker is not known yet"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0019'
down_revision: str | None = '0018'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        'afterwards',
        sa.Column('id', sa.String(), nullable=False),
        sa.Column('kind', sa.String(), nullable=False),
        sa.Column('given', sa.JSON(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
        sa.Column('enqueued_at', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('id'),
    )
    op.create_table(
        'channel',
        sa.Column('team', sa.String(), nullable=False),
        sa.Column('channel', sa.String(), nullable=False),
        sa.Column('creator', sa.String(), nullable=False),
        sa.PrimaryKeyConstraint('team', 'channel'),
    )
    # Whoever asked before this was looked at before the turn was written.
    vetted = sa.Column('vetted', sa.Boolean(), server_default=sa.true(), nullable=False)
    is_admin = sa.Column('is_admin', sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column('turn', vetted)
    op.add_column('person', is_admin)


def downgrade() -> None:
    op.drop_column('person', 'is_admin')
    op.drop_column('turn', 'vetted')
    op.drop_table('channel')
    op.drop_table('afterwards')
