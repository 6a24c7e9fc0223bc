"""What is written is read: every column of every table has a reader in the product.

A column is read where its row's class is named, or comes from a function that returns such rows,
and the column is looked at and not assigned. Keys are left out: rows are found by them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

ROOT = Path(__file__).parents[3]
TABLES = [
    ROOT / "core/storage/tables.py",
    ROOT / "core/storage/hand_over_tables.py",
    ROOT / "core/storage/hearing_tables.py",
    ROOT / "core/storage/index_tables.py",
    ROOT / "core/storage/report_tables.py",
]
PRODUCT = ("core", "bot", "worker", "indexer", "console")

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

Columns = Mapping[str, Set[str]]  # by the name of the row's class


def is_table(node: ast.ClassDef) -> bool:
    return any(each.arg == "table" for each in node.keywords)


def is_key(field: ast.AnnAssign) -> bool:
    return field.value is not None and "primary_key=True" in ast.unparse(field.value)


def columns() -> Columns:
    found: dict[str, set[str]] = {}
    for path in TABLES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and any(
                each.arg == "table" for each in node.keywords
            ):
                fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
                found[node.name] = {ast.unparse(f.target) for f in fields if not is_key(f)}
    return found


def modules() -> list[ast.Module]:
    paths = [path for folder in PRODUCT for path in (ROOT / folder).rglob("*.py")]
    return [ast.parse(path.read_text()) for path in paths if path not in TABLES]


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def rows_named(scope: ast.AST, tables: Columns) -> set[str]:
    """The classes that are named there, but for those of which a new row is only made."""
    made = {id(node.func) for node in ast.walk(scope) if isinstance(node, ast.Call)}
    names = [node for node in ast.walk(scope) if isinstance(node, ast.Name)]
    return {node.id for node in names if node.id in tables and id(node) not in made}


def reads(scope: ast.AST, tables: Columns, givers: Mapping[str, Set[str]]) -> set[tuple[str, str]]:
    """What is looked at in a function, or in a module outside its functions."""
    rows = rows_named(scope, tables)
    for node in ast.walk(scope):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).rpartition(".")[2]
            rows |= givers.get(called, set())
    found = set()
    for node in ast.walk(scope):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            owner = ast.unparse(node.value)
            owners = {owner} if owner in tables else rows
            found |= {(row, node.attr) for row in owners if node.attr in tables[row]}
    return found


def unread() -> list[str]:
    tables = columns()
    trees = modules()
    givers: dict[str, set[str]] = {}
    for tree in trees:
        for function in functions(tree):
            if function.returns is not None:
                rows = rows_named(function.returns, tables)
                givers.setdefault(function.name, set()).update(rows)
    found: set[tuple[str, str]] = set()
    for tree in trees:
        outside = [node for node in tree.body if not isinstance(node, DEFINITIONS)]
        for scope in (*functions(tree), *outside):
            found |= reads(scope, tables, givers)
    every = {(row, name) for row, names in tables.items() for name in names}
    return sorted(f"{row}.{name}" for row, name in every - found)


def test_every_column_has_a_reader() -> None:
    assert unread() == []


def test_what_is_written_or_read_of_another_row_is_not_read() -> None:
    tables: Columns = {"OneRow": {"seen", "written", "taken"}, "OtherRow": {"taken"}}
    function = ast.parse(
        "def look(row: OneRow) -> None:\n"
        "    row.written = row.seen\n"
        "    session.add(OtherRow(taken=1))\n"
        "    print(state().taken)\n"
    )
    assert reads(function, tables, {}) == {("OneRow", "seen"), ("OneRow", "taken")}
    assert ("OtherRow", "taken") in reads(function, tables, {"state": {"OtherRow"}})
