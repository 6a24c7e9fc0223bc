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
EVIDENCE = sa.table('evidence', sa.column('id'), sa.column('source'), sa.column('page_id'), sa.column('record', sa.JSON))
TURN = sa.table('turn', sa.column('id'), sa.column('record', sa.JSON))

RULE = re.compile(r'\|(?: --- \|)*')
BAR = re.compile(r'(?<!\\)\|')
ITEM = re.compile(r'( *)((?:-|\d+\.) )(.*)')
TASK = re.compile(r'()(\[[ x]\] )(.*)')
FENCED = re.compile(r'(?:(?P<above>.*)\n)?(?P<fence>`{3,})(?P<language>[^`\n]*)\n(?P<text>.*)\n(?P=fence)', re.DOTALL)


def upgrade() -> None:
    connection = op.get_bind()
    pages = connection.execute(sa.select(EVIDENCE.c.source, EVIDENCE.c.page_id).distinct()).all()
    for source, page_id in pages:
        of_page = (EVIDENCE.c.source == source, EVIDENCE.c.page_id == page_id)
        rows = connection.execute(sa.select(EVIDENCE.c.id, EVIDENCE.c.record).where(*of_page))
        pieces = {id: record for id, record in rows if is_old(record)}
        for id, record in zip(pieces, structured(pieces.values()), strict=True):
            connection.execute(sa.update(EVIDENCE).where(EVIDENCE.c.id == id).values(record=record))
    for id, record in in_batches(connection):
        if record and any(map(is_old, pieces_of(record))):
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
    pieces = [piece for piece in pieces_of(record) if is_old(piece)]
    for piece, new in zip(pieces, list(structured(pieces)), strict=True):
        piece.clear()
        piece.update(new)
    for piece in pieces:
        if piece['kind'] == 'table':
            known = connection.execute(sa.select(EVIDENCE.c.record).where(EVIDENCE.c.id == f"confluence:{piece['id']}")).scalar()
            if known and known['text'] == piece['text']:
                piece['table'] = known['table']


def pieces_of(record: Json) -> Iterator[Json]:
    for hit in record.get('hits') or ():
        yield hit['evidence']
        yield from hit.get('block') or ()
        yield from (copy['evidence'] for copy in hit.get('copies') or ())


def structured(pieces: Iterable[Json]) -> Iterator[Json]:
    """These pieces in the new form; the parts of a table number their rows."""
    found = list(pieces)
    starts = starts_of(found)
    alone = {flat(value) for piece in found for value in only_cell(piece)}
    for piece in found:
        yield new_form(piece, starts.get(place(piece), 1), alone)


def starts_of(pieces: Iterable[Json]) -> dict[tuple[str, int], int]:
    """The first row of each part of a table, by its place on the page, since an answer may hold a part twice.

    A row that is a piece too knows its number; without one, a part counts on from the part before it.
    """
    of_tables = [piece for piece in pieces if piece.get('table') is not None]
    numbers: dict[tuple[Any, ...], list[int]] = {}
    for piece in sorted(of_tables, key=lambda piece: piece.get('row') or 0):
        if piece['kind'] == 'row':
            for each in row(piece)['rows']:
                numbers.setdefault((*table(piece), *each['cells']), []).append(each['number'])
    next_row: dict[tuple[Any, ...], int] = {}
    starts: dict[tuple[str, int], int] = {}
    for piece in sorted(of_tables, key=position):
        if piece['kind'] == 'table' and place(piece) not in starts:
            rows = rows_of(piece, 0)
            least = next_row.get(table(piece), 1)
            known = (number - at for at, each in enumerate(rows) for number in numbers.get((*table(piece), *each['cells']), ()))
            start = next((start for start in known if start >= least), least)
            starts[place(piece)] = start
            next_row[table(piece)] = start + len(rows)
    return starts


def table(piece: Json) -> tuple[Any, ...]:
    """Which table; a comment's may have the number of one of its page."""
    return piece['page_id'], piece['table'], *(piece.get('heading_path') or ())


def position(piece: Json) -> int:
    return int(piece.get('position') or 0)


def place(piece: Json) -> tuple[str, int]:
    return piece['page_id'], position(piece)


def only_cell(piece: Json) -> Iterator[str]:
    """The value of a row of one column: without a bar, nothing else in a text tells that it is a row."""
    if piece['kind'] == 'row' and piece.get('table') is not None and len(grid(piece)[1]) == 1:
        yield from (value for _, value in piece.get('cells') or ())


def flat(text: str) -> str:
    return f" {' '.join(text.split())} "


def new_form(piece: Json, start: int, alone: set[str]) -> Json:
    kept = {name: value for name, value in piece.items() if name not in ('raw', 'row', 'cells', 'table', 'before', 'after')}
    for name in ('before', 'after'):
        text = piece.get(name) or ''
        of_table = ' | ' in text or (piece['kind'] != 'row' and any(value in flat(text) for value in alone))
        kept[name] = neighbour('' if of_table else text)
    number = piece.get('table')
    if piece['kind'] == 'table' and number is not None:
        above, header, _ = grid(piece)
        kept['table'] = {'number': number, 'header': header, 'rows': rows_of(piece, start), 'above': above}
    elif piece['kind'] == 'row' and number is not None:
        kept['table'] = {'number': number} | row(piece)
    elif piece['kind'] == 'list':
        kept['items'] = list(items(piece['text'], ITEM))
    elif piece['kind'] == 'task':
        kept['items'] = list(items(piece['text'], TASK))
    elif piece['kind'] == 'place':
        kept['items'] = [{'text': line} for line in piece['text'].splitlines()]
    elif piece['kind'] == 'code':
        kept['code'] = code(piece)
    return kept


def neighbour(text: str) -> Json:
    """The text before or after; nothing of a table's: its rows cannot be told apart any more, nor taken out."""
    lines = [{'text': text}] if text else []
    return {'lines': lines, 'is_list': bool(lines) and ITEM.match(text) is not None}


def grid(piece: Json) -> tuple[str, list[str], list[list[str]]]:
    """What announces a table, its header, and its lines, in which `<br>` may be a line break."""
    lines = piece['raw'].split('\n')
    for at, line in enumerate(lines):
        if at and RULE.fullmatch(line) and lines[at - 1].startswith('|'):
            above = '\n'.join(lines[: at - 1]).strip()
            header = cells(lines[at - 1]) if line != '|' else []
            return above, header, [cells(line) for line in lines[at + 1 :]]
    said = piece.get('cells') or ()
    return '', [name for name, _ in said] or [''], [[value for _, value in said] or [piece['text']]]


def cells(line: str) -> list[str]:
    return [cell[1:-1].replace('\\|', '|') for cell in BAR.split(line[1:-1])]


def rows_of(part: Json, start: int) -> list[Json]:
    """The rows of a part of a table, from this number on, each with its group.

    The text tells what Markdown does not: the name of a group stands there without bars, and line breaks as such.
    """
    above, header, lines = grid(part)
    text = part['text']
    at = len(above) + 1 if above else 0
    if any(header):
        at += len(' | '.join(header)) + 1
    found: list[Json] = []
    group, used = '', True
    for line in lines:
        row = said(line, text, at) if any(line) else line
        if row is None and line[0] and not any(line[1:]):
            if not used:
                found.append({'number': start + len(found), 'cells': [], 'group': group})
            group, used = line[0], False
            at += len(group) + 1
            continue
        row = row or [with_breaks(cell) for cell in line]
        if any(row):
            at += len(' | '.join(row)) + 1
        found.append({'number': start + len(found), 'cells': row, 'group': group})
        used = True
    if not used:
        found.append({'number': start + len(found), 'cells': [], 'group': group})
    return found


def said(line: list[str], text: str, at: int) -> list[str] | None:
    """The cells of a line as the text has them at this place; nothing where it has something else."""
    patterns = ('(' + re.escape(cell).replace('<br>', '(?:<br>|\\n)') + ')' for cell in line)
    found = re.compile(r' \| '.join(patterns) + r'(?=\n|\Z)').match(text, at)
    return list(found.groups()) if found else None


def with_breaks(cell: str) -> str:
    return cell.replace('<br>', '\n')


def row(piece: Json) -> Json:
    """A row under its header; of a piece of a long row the columns that it says, while its other cells become empty."""
    above, header, lines = grid(piece)
    known = [(name, value) for name, value in piece.get('cells') or ()]
    whole = lines[-1] if known else []
    group = lines[0][0] if len(lines) > len(known[:1]) else ''
    columns: list[int] = []
    if header == ['', ''] and known:
        ((name, value),) = known
        values = [name if whole[0] else '', value]
    elif len(known) < len(whole):
        columns = columns_of(known, header, whole)
        values = [dict(zip(columns, known, strict=True))[at][1] if at in columns else '' for at in range(len(whole))]
    else:
        values = [value for _, value in known]
    shown = {'number': piece.get('row') or 1, 'cells': values, 'group': group}
    return {'header': header, 'rows': [shown], 'above': above, 'columns': columns}


def columns_of(known: list[tuple[str, str]], header: list[str], whole: list[str]) -> list[int]:
    """The first column, and the run of columns behind it that are said too."""
    names = [name or f'Column {at + 1}' for at, name in enumerate(header)]
    for start in range(1, len(whole) - len(known) + 2):
        columns = [0, *range(start, start + len(known) - 1)]
        if all(says(cell, names[at], whole[at]) for at, cell in zip(columns, known, strict=True)):
            return columns
    return list(range(len(known)))


def says(cell: tuple[str, str], name: str, value: str) -> bool:
    return cell[0] == name and cell[1].replace('\n', '<br>') == value


def items(text: str, marked: re.Pattern[str]) -> Iterator[Json]:
    """The lines of a list; one without a mark, or deeper than an item can be, goes on with what stands above it."""
    item: Json | None = None
    indent = ''
    deepest = 0
    for line in text.split('\n'):
        found = marked.fullmatch(line)
        margin, mark, words = found.groups() if found else ('', '', line)
        depth = len(margin) // 2
        if found and len(margin) % 2 == 0 and depth <= deepest:
            if item:
                yield item
            indent = margin + ' ' * len(mark)
            item = {'text': words, 'depth': depth, 'mark': mark}
            deepest = depth + 1
        elif item:
            item['text'] += '\n' + line.removeprefix(indent)
        else:
            item = {'text': line, 'depth': -1}
    if item:
        yield item


def code(piece: Json) -> Json:
    found = FENCED.fullmatch(piece['raw'])
    if found is None:
        return {'text': piece['text']}
    return {'text': found['text'], 'language': found['language'], 'above': found['above'] or ''}
