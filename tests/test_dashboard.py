"""The dashboard shows numbers that exist, by labels that they have."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BOARD = json.loads((ROOT / "deploy/grafana.json").read_text())
EXPRESSIONS = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
NAMES = {
    name
    for folder in ("core", "bot", "worker", "indexer")
    for file in (ROOT / folder).rglob("*.py")
    for name in re.findall(r'"(groundwire_[a-z_]+)"', file.read_text())
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_panel_shows_what_a_program_counts(expression: str) -> None:
    asked = set(re.findall(r"groundwire_[a-z_]+", expression))
    assert asked
    assert {re.sub("_(total|bucket)$", "", name) for name in asked} <= NAMES


def test_no_two_panels_lie_on_each_other() -> None:
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in BOARD["panels"]]
    assert len(set(places)) == len(places)
