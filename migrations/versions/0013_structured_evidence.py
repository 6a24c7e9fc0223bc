"""structured evidence: tables, lists and code keep their structure, which version 0.1 wrote as Markdown

The one place that reads that Markdown. The next sync makes every page's evidence anew, page by page, while the
old one answers; saved answers keep what is made of them here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op


revision: str = '0013'
down_revision: str | None = '0012'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

Json = dict[str, Any]

BATCH = 500  # rows read at once
EVIDENCE = sa.table('evidence', sa.column('id'), sa.column('page_id'), sa.column('record', sa.JSON))
TURN = sa.table('turn', sa.column('id'), sa.column('record', sa.JSON))

RULE = re.compile(r'\|(?: --- \|)+')
BAR = re.compile(r'(?<!\\)\|')
ITEM = re.compile(r'( *)((?:[-•*]|\d+[.)]|\[[ x]\]) )(.*)')
FENCED = re.compile(r'(?:(?P<above>.*?)\n)?(?P<fence>`{3,})(?P<language>[^`\n]*)\n(?P<text>.*)\n(?P=fence)', re.DOTALL)


def upgrade() -> None:
    connection = op.get_bind()
    page_ids = connection.execute(sa.select(EVIDENCE.c.page_id).distinct()).scalars().all()
    for page_id in page_ids:
        rows = connection.execute(sa.select(EVIDENCE.c.id, EVIDENCE.c.record).where(EVIDENCE.c.page_id == page_id))
        pieces = {id: record for id, record in rows if is_old(record)}
        for id, record in zip(pieces, structured(pieces.values()), strict=True):
            connection.execute(sa.update(EVIDENCE).where(EVIDENCE.c.id == id).values(record=record))
    for id, record in in_batches(connection):
        if record and any(is_old(hit['evidence']) for hit in record.get('hits', ())):
            of_hits(connection, record)
            connection.execute(sa.update(TURN).where(TURN.c.id == id).values(record=record))


def downgrade() -> None:
    raise NotImplementedError('the Markdown of version 0.1 is gone: restore the backup of before')


def in_batches(connection: sa.Connection) -> Iterator[tuple[str, Json | None]]:
    last = ''
    while True:
        query = sa.select(TURN.c.id, TURN.c.record).where(TURN.c.id > last).order_by(TURN.c.id).limit(BATCH)
        rows = connection.execute(query).all()
        yield from ((id, record) for id, record in rows)
        if not rows:
            return
        last = rows[-1][0]


def is_old(piece: Json) -> bool:
    return 'raw' in piece


def of_hits(connection: sa.Connection, record: Json) -> None:
    """The saved hits of an answer; a part of a table that is still in the index takes its rows from there."""
    pieces = list(pieces_of(record['hits']))
    for piece, new in zip(pieces, list(structured(pieces)), strict=True):
        piece.clear()
        piece.update(new)
    for piece in pieces:
        if piece['kind'] == 'table':
            known = connection.execute(sa.select(EVIDENCE.c.record).where(EVIDENCE.c.id == f"confluence:{piece['id']}")).scalar()
            if known and known['text'] == piece['text']:
                piece['table'] = known['table']


def pieces_of(hits: Iterable[Json]) -> Iterator[Json]:
    for hit in hits:
        yield hit['evidence']
        yield from hit.get('block', ())
        yield from (copy['evidence'] for copy in hit.get('copies', ()))


def structured(pieces: Iterable[Json]) -> Iterator[Json]:
    """These pieces in the new form; parts of one table count their rows on, in the order of the page."""
    found = list(pieces)
    first: dict[tuple[str, int], int] = {}
    starts: dict[int, int] = {}
    for piece in sorted(found, key=lambda piece: piece.get('position', 0)):
        if piece['kind'] == 'table' and piece['table'] is not None:
            table = (piece['page_id'], piece['table'])
            starts[id(piece)] = first.get(table, 1)
            first[table] = starts[id(piece)] + len(rows_of(piece, starts[id(piece)]))
    for piece in found:
        yield new_form(piece, starts.get(id(piece), 1))


def new_form(piece: Json, start: int) -> Json:
    kept = {name: value for name, value in piece.items() if name not in ('raw', 'row', 'cells', 'table', 'before', 'after')}
    kept |= {'before': neighbour(piece['before']), 'after': neighbour(piece['after'])}
    if piece['kind'] in ('table', 'row') and piece['table'] is not None:
        above, header, _ = grid(piece)
        rows = rows_of(piece, piece['row'] or start)
        kept['table'] = {'number': piece['table'], 'header': header, 'rows': rows, 'above': above} | own_columns(piece, header, rows)
    elif piece['kind'] in ('list', 'task', 'place'):
        kept['items'] = list(items(piece['text']))
    elif piece['kind'] == 'code':
        kept['code'] = code(piece)
    return kept


def neighbour(text: str) -> Json:
    """The text before or after, unless it is a table's: its rows cannot be told apart any more, nor taken out."""
    lines = [{'text': text}] if text and ' | ' not in text else []
    return {'lines': lines, 'is_list': bool(lines) and ITEM.match(text) is not None}


def grid(piece: Json) -> tuple[str, list[str], list[list[str]]]:
    """What announces a table, its header, and its lines."""
    lines = piece['raw'].splitlines()
    for at, line in enumerate(lines):
        if at and RULE.fullmatch(line.strip()):
            above = '\n'.join(lines[: at - 1]).strip()
            return above, cells(lines[at - 1]), [cells(line) for line in lines[at + 1 :]]
    names = [name for name, _ in piece['cells']] or ['']
    return '', names, [[value for _, value in piece['cells']] or [piece['text']]]


def cells(line: str) -> list[str]:
    bare = line.strip().removeprefix('|').removesuffix('|')
    return [cell.strip().replace('\\|', '|').replace('<br>', '\n') for cell in BAR.split(bare)]


def rows_of(piece: Json, start: int) -> list[Json]:
    """The rows, from this number on, each with its group: a line of one filled cell, the first, above others."""
    found: list[Json] = []
    group, used = '', True
    _, header, lines = grid(piece)
    for at, line in enumerate(lines):
        is_last_of_row = piece['kind'] == 'row' and at == len(lines) - 1 and bool(piece['cells'])
        if len(header) > 1 and line[0] and not any(line[1:]) and not is_last_of_row:
            if not used:
                found.append({'number': start + len(found), 'cells': [], 'group': group})
            group, used = line[0], False
            continue
        found.append({'number': start + len(found), 'cells': line, 'group': group})
        used = True
    if not used:
        found.append({'number': start + len(found), 'cells': [], 'group': group})
    return found


def own_columns(piece: Json, header: list[str], rows: list[Json]) -> Json:
    """Of a piece of a long row: the columns that it says; its other cells become empty."""
    said = [tuple(cell) for cell in piece['cells']]
    row = rows[0]['cells'] if rows else []
    if not said or len(said) >= len(row) or header == ['', '']:
        return {}
    named = [(name or f'Column {at + 1}', value) for at, (name, value) in enumerate(zip(header, row, strict=False))]
    columns = [at for at, cell in enumerate(named) if cell in said]
    rows[0]['cells'] = [cell if at in columns else '' for at, cell in enumerate(row)]
    return {'columns': columns}


def items(text: str) -> Iterator[Json]:
    """The lines of a list; one without a mark goes on with the item above it, or announces the list."""
    item: Json | None = None
    indent = ''
    for line in text.splitlines():
        found = ITEM.fullmatch(line)
        if found:
            if item:
                yield item
            margin, mark, said = found.groups()
            indent = margin + ' ' * len(mark)
            item = {'text': said, 'depth': len(margin) // 2, 'mark': mark}
        elif item and 'mark' in item:
            item['text'] += '\n' + line.removeprefix(indent)
        else:
            if item:
                yield item
            item = {'text': line, 'depth': -1}
    if item:
        yield item


def code(piece: Json) -> Json:
    found = FENCED.fullmatch(piece['raw'])
    if found is None:
        return {'text': piece['text']}
    return {'text': found['text'], 'language': found['language'], 'above': found['above'] or ''}
