"""page.language: in which language a page is written, of those that are told apart by now

Read from the pieces that are there already: no page has to be fetched again.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from core.language import language


revision: str = '0031'
down_revision: str | None = '0030'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

def upgrade() -> None:
    op.add_column('page', sa.Column('language', sa.String(), nullable=False, server_default=''))
    bind = op.get_bind()
    page = sa.table('page', sa.column('source'), sa.column('id'), sa.column('language'))
    evidence = sa.table(
        'evidence', sa.column('source'), sa.column('page_id'), sa.column('record', sa.JSON)
    )
    keys = bind.execute(sa.select(evidence.c.source, evidence.c.page_id).distinct()).all()
    for source, page_id in keys:
        of_page = (evidence.c.source == source) & (evidence.c.page_id == page_id)
        records = bind.execute(sa.select(evidence.c.record).where(of_page)).scalars()
        found = language('\n'.join(_said(records)))
        if found:
            own = (page.c.source == source) & (page.c.id == page_id)
            bind.execute(sa.update(page).where(own).values(language=found))


def _said(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    for record in records:
        if record['kind'] not in ('row', 'code'):
            yield record['text']


def downgrade() -> None:
    with op.batch_alter_table('page', recreate='never') as page:
        page.drop_column('language')
