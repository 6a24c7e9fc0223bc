"""The layout and the vocabulary: what a newcomer greps for is found, and no room is overfull."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PRODUCT = ("core", "bot", "worker", "indexer", "console", "groundwire")
ALL = (*PRODUCT, "sandbox", "evaluation")
MOST_MODULES = 15  # in one folder
MOST_LINES = 250  # in one file
MOST_FUNCTION_LINES = 40  # without the docstring

GLOSSARY = (ROOT / "docs/glossary.md").read_text()
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_ROW = re.compile(r"^\| ([^|]+) \| [^|]+ \| `([^`]+)` \|$", re.MULTILINE)
_WORDS = [term.strip() for terms, _ in _ROW.findall(GLOSSARY) for term in terms.split(",")]
# With any ending: a plural, or a verb made of the noun.
_TERMS = re.compile("|".join(rf"\b{re.escape(word)}" for word in _WORDS), re.IGNORECASE)
_NAMED = re.compile(rf"`((?:{'|'.join((*ALL, 'tests'))})/[\w./]+)`")
_MODULE = re.compile(r"\w[\w/]*\.py\b")  # also in a picture, where its folder goes without saying
_LINKED = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in modules(*folders):
        yield path.relative_to(ROOT), ast.parse(path.read_text())


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    lines = (node.end_lineno or 0) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines


def test_no_two_types_share_a_name() -> None:
    places = defaultdict(list)
    for path, tree in trees(*PRODUCT):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name.lstrip("_")].append(str(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_no_folder_holds_more_than_fifteen_modules() -> None:
    counted = Counter(path.parent for path in modules(*ALL) if path.name != "__init__.py")
    assert {str(folder): n for folder, n in counted.items() if n > MOST_MODULES} == {}


def test_no_file_is_too_long() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in modules(*ALL)}
    assert {str(path): n for path, n in lengths.items() if n > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    found = {}
    for path, tree in trees(*ALL):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[f"{path}:{node.name}"] = lines_of(node)
    assert {where: n for where, n in found.items() if n > MOST_FUNCTION_LINES} == {}


def test_every_module_says_in_words_of_the_glossary_what_it_is_for() -> None:
    silent = []
    for path, tree in trees(*PRODUCT):
        first = (ast.get_docstring(tree) or "").partition("\n")[0]
        if path.name != "__init__.py" and not _TERMS.search(first):
            silent.append(f"{path}: {first}")
    assert silent == []


@pytest.mark.parametrize(("terms", "where"), _ROW.findall(GLOSSARY))
def test_a_term_of_the_glossary_leads_to_a_file_that_says_it(terms: str, where: str) -> None:
    path = ROOT / where
    assert path.exists(), f"{where} is not there"
    if path.is_dir():
        return
    text = f"{where} {path.read_text()}".replace("_", " ").lower()
    flat = " ".join(text.split())
    assert all(term.strip().lower() in flat for term in terms.split(","))


def test_the_documents_name_only_files_that_exist() -> None:
    missing = []
    for document in DOCUMENTS:
        text = document.read_text()
        named = [ROOT / path for path in _NAMED.findall(text)]
        linked = [document.parent / path for path in _LINKED.findall(text)]
        missing += [f"{document.name}: {path}" for path in [*named, *linked] if not path.exists()]
    assert missing == []


def test_the_pictures_of_the_architecture_name_only_modules_that_exist() -> None:
    there = [f"/{path.relative_to(ROOT)}" for path in modules(*ALL, "tests")]
    named = _MODULE.findall((ROOT / "docs/architecture.md").read_text())
    missing = [name for name in named if not any(path.endswith(f"/{name}") for path in there)]
    assert named
    assert missing == []


def test_no_document_was_left_in_the_middle_of_a_merge() -> None:
    left = [path.name for path in DOCUMENTS if re.search(r"^[<>]{7} ", path.read_text(), re.M)]
    assert left == []
