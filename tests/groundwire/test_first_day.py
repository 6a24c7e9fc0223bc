"""docs/first-day.md names only settings, scripts and lines of the log that exist.

Its commands are tried with those of every page, in test_deployment_files.py.
"""

from __future__ import annotations

import re
from pathlib import Path

from core.settings import Settings
from core.settings.named import BESIDE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/first-day.md").read_text()
FORM = (ROOT / ".github/ISSUE_TEMPLATE/first-day.md").read_text()
CODE = re.findall(r"`([^`\n]+)`", PAGE) + [
    line for block in re.findall(r"```\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()
]
# No events of ours: settings of the manifest and the like have no dot.
EVENT = re.compile(r"[a-z_]+\.[a-z_]+")
OTHERS_NAMES = re.compile(r".*\.(md|json|toml|com|net|message|replies|check)")


def test_scripts_and_settings_that_it_names_exist() -> None:
    scripts = set(re.findall(r"\bscripts/(\w+)", PAGE))
    assert {name for name in scripts if not (ROOT / "scripts" / name).exists()} == set()
    known = {name.upper() for name in Settings.model_fields} | BESIDE | {"OLLAMA_CONTEXT_LENGTH"}
    known |= {"ISSUE_TEMPLATE"}
    named = set(re.findall(r"\b([A-Z]+(?:_[A-Z]+)+)\b", PAGE))
    assert named - known == set()


def test_lines_of_the_log_that_it_names_are_written_somewhere() -> None:
    folders = ("bot", "core", "indexer", "worker")
    code = "".join(path.read_text() for each in folders for path in (ROOT / each).rglob("*.py"))
    named = {each for each in CODE if EVENT.fullmatch(each) and not OTHERS_NAMES.fullmatch(each)}
    assert len(named) > 8
    assert {each for each in named if f'"{each}"' not in code} == set()


def test_the_form_asks_for_what_the_page_asks_for() -> None:
    asked = PAGE.rpartition("```\n")[0].rpartition("```\n")[2].splitlines()
    for line in asked:
        begins = line.partition(" (")[0].partition(":")[0]
        assert begins in FORM, line


def test_the_readme_says_what_the_makers_did_not_have() -> None:
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert "no real Slack workspace, no Confluence of Atlassian's and no hosted model" in readme
    assert "docs/first-day.md" in readme
