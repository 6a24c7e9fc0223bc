"""What is imported is declared: nothing rests on what another package happens to bring along."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

# The extras that each folder may count on, beside the dependencies that everybody has.
FOLDERS: dict[str, tuple[str, ...]] = {
    "core": (),
    "bot": (),
    "worker": (),
    "indexer": (),
    "console": (),
    "groundwire": (),
    "migrations": (),
    "prompts": (),
    "sandbox": ("sandbox",),
    "evaluation": ("evaluation", "sandbox"),
    "tests": ("evaluation", "sandbox", "dev"),
}
# The modules that need an extra of their own: they are imported only where a setting asks for them.
OPTIONAL = {
    "core/embeddings/flag.py": "models",
    "core/embeddings/transformers.py": "models",
    "worker/retrieval/reranking.py": "models",
    "indexer/attachments/convert.py": "documents",
    "indexer/attachments/pdf.py": "documents",
    "sandbox/llm/small.py": "smollm2",
    "sandbox/demo/rooms.py": "browser",
    "evaluation/question_encoder/training.py": "tuning",
    "evaluation/reader/run.py": "tuning",
    "evaluation/training/encoder.py": "tuning",
    "evaluation/training/steps.py": "tuning",
    "evaluation/dialogue/training.py": "tuning",
    "evaluation/reader/training.py": "tuning",
    "evaluation/support/learning/training.py": "tuning",
    "evaluation/tuning/training.py": "tuning",
    "evaluation/tuning/weights.py": "tuning",
    "tests/tiny.py": "models",
    "tests/indexer/sync/test_sync_extras.py": "documents",
}
# Distributions with another name than what is imported, where they need not be installed.
NAMES = {"pptx": "python-pptx", "pdfminer": "pdfminer.six"}
INSTALLED = packages_distributions()


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_a_folder_imports_is_declared(folder: str) -> None:
    missing = {
        f"{file}: {name}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for name in foreign(file)
        if not distributions(name) & allowed(folder, file.relative_to(ROOT))
    }
    assert missing == set()


def test_every_module_with_an_extra_of_its_own_needs_it() -> None:
    for file, extra in OPTIONAL.items():
        needed = {one for name in foreign(ROOT / file) for one in distributions(name)}
        assert needed & declared(EXTRAS[extra]), file


def test_a_marker_and_a_range_are_no_part_of_a_name() -> None:
    requirements = ["celery[redis]>=5.6,<6", "PyYAML", "a_b.c; python_version < '3.13'"]
    assert declared(requirements) == {"celery", "pyyaml", "a-b-c"}


def test_an_import_by_name_counts(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text("import json, yaml.nodes\nfrom . import near\nimport_module('torch.cuda')\n")
    assert foreign(file) == {"torch", "yaml"}


def foreign(file: Path) -> set[str]:
    """The top-level names that a module imports and that are neither Python's nor ours."""
    return {name.partition(".")[0] for name in imported(file)} - sys.stdlib_module_names - ours()


def imported(file: Path) -> Iterator[str]:
    """The absolute names that a module imports, at whichever place in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name
            case ast.Call(func=called, args=[ast.Constant(value=str(name))]) if by_name(called):
                yield name


def by_name(called: ast.expr) -> bool:
    return ast.unparse(called) in {"import_module", "importlib.import_module"}


def ours() -> set[str]:
    """Our folders, and what lies beside the tests: pytest puts a test's folder on the path."""
    return FOLDERS.keys() | {path.stem for path in (ROOT / "tests").rglob("*")}


def distributions(name: str) -> set[str]:
    """What brings this name here; else the name itself, which mostly is the distribution's."""
    return {normal(one) for one in INSTALLED.get(name, [NAMES.get(name, name)])}


def allowed(folder: str, file: Path) -> set[str]:
    extras = [*FOLDERS[folder], *filter(None, [OPTIONAL.get(str(file))])]
    return declared(PROJECT["dependencies"]).union(*(declared(EXTRAS[extra]) for extra in extras))


def declared(requirements: list[str]) -> set[str]:
    names = (re.match(r"[\w.-]+", requirement) for requirement in requirements)
    return {normal(name[0]) for name in names if name}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
