"""words_key: what a turn says on its way through Redis is sealed with a key that can be dropped

Turns that wait while this is applied have none: their words are not streamed.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0022'
down_revision: str | None = '0021'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.add_column('turn', sa.Column('words_key', sa.String(), nullable=False, server_default=''))


def downgrade() -> None:
    with op.batch_alter_table('turn') as turn:
        turn.drop_column('words_key')
