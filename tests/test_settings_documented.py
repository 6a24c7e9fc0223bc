"""`.env.example` names every setting, explains it, and shows its true default."""

from __future__ import annotations

import re
from pathlib import Path

from core.settings import Settings
from core.settings.named import BESIDE

ROOT = Path(__file__).parents[1]
EXAMPLE = (ROOT / ".env.example").read_text().splitlines()
PROCFILE = (ROOT / "Procfile").read_text()
_SETTING = re.compile(r"(?:# )?([A-Z][A-Z0-9_]*)=(.*)")


def documented() -> dict[str, str]:
    """The documented settings with the values shown."""
    return {found[1]: found[2] for found in map(_SETTING.fullmatch, EXAMPLE) if found}


def existing() -> set[str]:
    """All settings that are read: by Settings, by the Procfile, and by core.settings itself."""
    looked_up = re.findall(
        r'environ(?:\.get\(|\[)"(\w+)"', (ROOT / "core/settings/environment.py").read_text()
    )
    return (
        {name.upper() for name in Settings.model_fields}
        | set(re.findall(r"\$\{(\w+)", PROCFILE))
        | set(looked_up)
    )


def test_no_setting_is_missing_from_the_example() -> None:
    assert existing() - documented().keys() == set()


def test_no_setting_in_the_example_is_stale() -> None:
    assert documented().keys() - existing() == set()


def test_what_only_the_procfile_and_the_start_read_is_known_as_a_setting() -> None:
    assert {name.upper() for name in Settings.model_fields} | BESIDE == existing()


def test_every_setting_has_a_comment_right_above_it() -> None:
    bare = [
        line
        for above, line in zip(["", *EXAMPLE], EXAMPLE, strict=False)
        if _SETTING.fullmatch(line) and not above.startswith("# ")
    ]
    assert bare == []


def test_a_copy_of_the_example_changes_nothing() -> None:
    assert Settings(_env_file=ROOT / ".env.example") == Settings(_env_file=None)


def test_the_example_shows_the_defaults_of_the_procfile() -> None:
    defaults = dict(re.findall(r"\$\{(\w+):-([^}]*)\}", PROCFILE))
    assert {name: documented()[name] for name in defaults} == defaults
