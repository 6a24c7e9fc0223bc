"""What nobody uses is not kept: every public name of the product is named outside the tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRODUCT = ("core", "bot", "worker", "indexer", "console", "groundwire")
ALL = (*PRODUCT, "sandbox", "evaluation")
# Named by nobody, and used all the same.
CALLED_BY_NAME = {
    "groundwire.autopilot.command.autopilot",
    "groundwire.doctor.visit.findings",
    *(f"core.embeddings.{kind}.load" for kind in ("bundled", "flag", "openai", "transformers")),
    "core.dialogue.trained.load",
}
# Asked for by the tests of the views alone.
OF_VIEWS = {f"bot.views.answer_blocks.{name}" for name in ("build_answer", "build_sentence")}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_of(path): ast.parse(path.read_text())
    for folder in ALL
    for path in (ROOT / folder).rglob("*.py")
}


def public(tree: ast.Module) -> Iterator[str]:
    """Functions, classes and constants; what a decorator registers is called by what it is for."""
    for node in tree.body:
        names: list[ast.expr] = []
        if isinstance(node, ast.ClassDef) or (
            isinstance(node, DEFINITIONS) and not node.decorator_list
        ):
            names = [ast.Name(node.name)]
        elif isinstance(node, ast.Assign):
            names = node.targets
        elif isinstance(node, ast.AnnAssign):
            names = [node.target]
        for name in names:
            if isinstance(name, ast.Name) and not name.id.startswith("_"):
                yield name.id


def named(module: str, tree: ast.Module) -> Iterator[str]:
    """What a module names, with the module it is of; not what something says of itself."""
    imported: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                imported[alias.asname or alias.name] = full
                yield full
    for node in tree.body:
        own = node.name if isinstance(node, DEFINITIONS) else ""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id != own:
                yield f"{module}.{part.id}"
            if isinstance(part, ast.Attribute):
                first, _, rest = ast.unparse(part).partition(".")
                yield f"{imported.get(first, first)}.{rest}"


def unused() -> set[str]:
    used = {name for module, tree in MODULES.items() for name in named(module, tree)}
    found = set()
    for module, tree in MODULES.items():
        if module.split(".")[0] in PRODUCT:
            found |= {f"{module}.{name}" for name in public(tree)} - used
    return found


def test_every_public_name_of_the_product_is_used_outside_the_tests() -> None:
    assert unused() - CALLED_BY_NAME - OF_VIEWS == set()


def test_what_is_named_by_itself_alone_is_unused() -> None:
    tree = ast.parse("def walk(n):\n    return walk(n - 1)\n\nSIZE = 3\nHALF = SIZE // 2\n")
    used = set(named("m", tree))
    assert {name for name in public(tree) if f"m.{name}" not in used} == {"walk", "HALF"}
