"""Twice the page is twice the work, by shape. Seconds are measured by `python -m evaluation parse`."""

from __future__ import annotations

import pytest
from work import work

from evaluation.sync.page_shapes import SHAPES, Shape
from indexer.parse import parse

TIMES = 300


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_twice_the_page_is_twice_the_work(shape: Shape) -> None:
    assert work(parse, shape(2 * TIMES)) < 2.1 * work(parse, shape(TIMES))
