"""Pages of one shape, of any length: the cost of parsing must grow linearly with the page."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from indexer.parse import parse

Shape = Callable[[int], str]  # from how often something is repeated to the page

MEGABYTE = 1_000_000
RUNS = 3  # the fastest counts: other load on the machine only adds time


def _table(cells: str) -> Shape:
    return lambda rows: f"<table><tbody>{f'<tr>{cells}</tr>' * rows}</tbody></table>"


SHAPES: Mapping[str, Shape] = {
    "paragraphs": lambda n: "<p>Some plain words that fill a very long page.</p>" * n,
    "list": lambda n: f"<ul>{'<li>one <strong>two</strong> three</li>' * n}</ul>",
    "table": _table("<td>a</td><td>b</td><td>c</td>"),
    "table of paragraphs": _table("<td><p>a</p></td><td><p>b</p></td><td><p>c</p></td>"),
    "lines of code": lambda n: "<pre>line</pre>" * n,
    "tags never closed": lambda n: "<b>" * n + "</i>" * n,
    "comments never closed": lambda n: "<!--" * n,
}


def seconds_a_megabyte() -> dict[str, float]:
    """Processor time for parsing a page of 1 MB, by shape."""
    return {name: _fastest(_megabyte(shape)) for name, shape in SHAPES.items()}


def _megabyte(shape: Shape) -> str:
    one_more = len(shape(2)) - len(shape(1))
    return shape(MEGABYTE // one_more)


def _fastest(storage: str) -> float:
    return min(_seconds(storage) for _ in range(RUNS))


def _seconds(storage: str) -> float:
    began = time.process_time()
    parse(storage)
    return time.process_time() - began
