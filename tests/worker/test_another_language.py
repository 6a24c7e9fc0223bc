"""What people write in a language is one file: Dutch, unknown to the code, in its own checkout."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DUTCH = """
name = "Dutch"
[stop_words]
language = "de het een en is zijn waar wie waarom welke wat heeft sinds"
search = "de het een en is zijn waarom staat"
[question.kinds]
cause = ['^waarom\\b']
[filters]
pages = ["pagina's"]
pages_are = "gewijzigd"
auxiliary = "zijn"
[filters.time]
since = ["sinds"]
[dates]
days = "gisteren"
[organization.units]
afdeling = { plural = "afdelingen", means = "department" }
"""
ASKED = """
import json
from datetime import date
from core import organization_terms
from core.evidence.lexical.analyzer import content_words
from core.question import Completed
from worker.filters import Vocabulary, by_rules
from worker.question.classify import classify
from core.language import language

why = "Waarom staat kraan 4 stil?"
changed = "Welke pagina's zijn gewijzigd sinds gisteren?"
found = by_rules(changed, Vocabulary({}), date(2026, 3, 18))
print(json.dumps({
    "kind": classify(Completed(question=why, text=why)),
    "language": language("Waar is de sleutel en wie heeft die?"),
    "terms": content_words(why),
    "filters": [[each.field, each.value, each.said] for each in found],
    "unit": organization_terms.meaning("afdeling"),
    "english": language("Where is the key?"),
}))
"""


def answers(checkout: Path) -> Any:
    """What the code says of Dutch, run in a process of its own."""
    command = [sys.executable, "-c", ASKED]
    environment = {"PYTHONPATH": str(checkout)}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, check=True)
    return json.loads(done.stdout)


def test_a_language_is_added_by_its_file_alone(tmp_path: Path) -> None:
    for folder in ("core", "worker", "prompts"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    languages = tmp_path / "languages"
    languages.mkdir()
    for file in (ROOT / "languages").glob("*.toml"):
        (languages / file.name).symlink_to(file)
    before = answers(tmp_path)
    (languages / "nl.toml").write_text(DUTCH)
    assert answers(tmp_path) == {
        "kind": "cause",
        "language": "nl",
        "terms": ["kraan", "4", "stil"],
        "filters": [["after", "2026-03-17", "zijn gewijzigd sinds gisteren"]],
        "unit": "department",
        "english": "en",
    }
    assert before["kind"] == "factoid"
    assert before["filters"] == []
    assert (before["language"], before["unit"]) != ("nl", "department")
