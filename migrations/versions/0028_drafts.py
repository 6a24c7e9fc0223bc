"""what a helper has said, and of which question a draft was made"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0028'
down_revision: str | None = '0027'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.add_column('hand_over', sa.Column('said', sa.String(), nullable=False, server_default=''))
    op.add_column(
        'digest_page', sa.Column('in_draft', sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column('digest_gap', sa.Column('draft_of', sa.String(), nullable=False, server_default=''))


def downgrade() -> None:
    op.drop_column('digest_page', 'in_draft')
    op.drop_column('digest_gap', 'draft_of')
    op.drop_column('hand_over', 'said')
