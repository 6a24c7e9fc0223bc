"""columns of their own: until when a limit holds, and which message of a long answer a post is

`limit_day@1795305600` becomes the reason `limit_day` and `refused_until` 1795305600; the kind
`answer-2` becomes `answer` and the number 2.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


revision: str = '0009'
down_revision: str | None = '0008'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_TURN = sa.table('turn', sa.column('reason', sa.String), sa.column('refused_until', sa.Float))
_POST = sa.table('post', sa.column('kind', sa.String), sa.column('number', sa.Integer))
# SQLite keeps the constraint of 0001 without a name; so it gets one while it is read.
_NAMES = {'uq': 'uq_%(table_name)s_%(column_0_name)s'}


def upgrade() -> None:
    with op.batch_alter_table('turn', schema=None, recreate='never') as batch_op:
        batch_op.add_column(sa.Column('refused_until', sa.Float(), nullable=True))
    for reason in _distinct(_TURN.c.reason, 'limit%@%'):
        key, _, until = reason.partition('@')
        refused = sa.update(_TURN).where(_TURN.c.reason == reason)
        op.execute(refused.values(reason=key, refused_until=float(until)))
    one_a_kind = sa.inspect(op.get_bind()).get_unique_constraints('post')[0]['name']
    with op.batch_alter_table('post', schema=None, naming_convention=_NAMES) as batch_op:
        batch_op.add_column(sa.Column('number', sa.Integer(), nullable=False, server_default='1'))
        batch_op.drop_constraint(one_a_kind or 'uq_post_turn_id', type_='unique')
        batch_op.create_unique_constraint('uq_post', ['turn_id', 'kind', 'number'])
    for kind in _distinct(_POST.c.kind, 'answer-%'):
        number = int(kind.removeprefix('answer-'))
        numbered = sa.update(_POST).where(_POST.c.kind == kind)
        op.execute(numbered.values(kind='answer', number=number))
    with op.batch_alter_table('post', schema=None) as batch_op:
        batch_op.alter_column('number', server_default=None)


def downgrade() -> None:
    further = sa.select(_POST.c.number).where(_POST.c.number > 1).distinct()
    for number in op.get_bind().execute(further).scalars().all():
        same = sa.update(_POST).where(_POST.c.number == number)
        op.execute(same.values(kind=f'answer-{number}'))
    with op.batch_alter_table('post', schema=None) as batch_op:
        batch_op.drop_constraint('uq_post', type_='unique')
        batch_op.create_unique_constraint('post_turn_id_kind_key', ['turn_id', 'kind'])
        batch_op.drop_column('number')
    limited = sa.select(_TURN).where(_TURN.c.refused_until.is_not(None)).distinct()
    for reason, until in op.get_bind().execute(limited).all():
        same = sa.update(_TURN).where(_TURN.c.reason == reason, _TURN.c.refused_until == until)
        op.execute(same.values(reason=f'{reason}@{until:.0f}'))
    with op.batch_alter_table('turn', schema=None, recreate='never') as batch_op:
        batch_op.drop_column('refused_until')


def _distinct(column: 'sa.ColumnClause[str]', like: str) -> Sequence[str]:
    query = sa.select(column).where(column.like(like)).distinct()
    return op.get_bind().execute(query).scalars().all()
