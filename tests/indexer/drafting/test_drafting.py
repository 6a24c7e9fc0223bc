"""The draft of the entities file: what pages of the organization say that everybody may read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from storage_pages import table
from typer.testing import CliRunner, Result
from wiki import page, put

from core.errors import SettingsError
from core.evidence import EvidenceStore
from core.policy.acl import OPEN_ID
from core.settings import settings
from core.storage.database import Database
from indexer.__main__ import app
from indexer.drafting import draft
from indexer.evidence.build import evidence
from indexer.parse import parse
from worker.entities.entities_file import read


def index(
    store: EvidenceStore,
    identifier: str,
    title: str,
    storage: str = "<p>x</p>",
    acl: str = OPEN_ID,
    **more: Any,
) -> None:
    on = page(identifier, title, **more)
    put(store, on, *evidence(on, parse(storage)), acl_id=acl)


def entries(database: Database, *wanted: str) -> Any:
    return yaml.safe_load(draft(database, wanted).text)


def outline(nodes: Any) -> Any:
    """Names with kinds, and what is under them."""
    return {
        f"{node['name']} ({node.get('kind', '')})": outline(node.get("children", []))
        for node in nodes
    }


def test_a_table_of_departments_and_teams_becomes_a_tree_with_the_leads_of_the_teams(
    store: EvidenceStore,
) -> None:
    index(
        store,
        "1",
        "Org chart",
        table(
            "!Team | !Department | !Team lead",
            "Crane | Harbour | Ida Holm",
            "Pilot | Harbour | Ben Sato, Aoife Byrne",
        ),
    )
    assert outline(entries(store.database)) == {
        "Harbour (department)": {
            "Crane (team)": {"Ida Holm (lead)": {}},
            "Pilot (team)": {"Ben Sato (lead)": {}, "Aoife Byrne (lead)": {}},
        }
    }


def test_a_german_table_keeps_its_words(store: EvidenceStore) -> None:
    index(
        store,
        "1",
        "Organigramm",
        table("!Abteilung | !Leiter/in", "Einkauf | Uta Brandt", "Lager | -"),
    )
    assert outline(entries(store.database)) == {
        "Einkauf (Abteilung)": {"Uta Brandt (leiter)": {}},
        "Lager (Abteilung)": {},
    }


def test_a_list_under_a_heading_that_promises_teams_names_them(store: EvidenceStore) -> None:
    nested = (
        "<ul><li>Crane – turns the cranes<ul><li>Lead: Ida Holm</li><li>Night shift</li></ul>"
        "</li><li>Pilot (harbour)</li></ul>"
    )
    index(
        store,
        "1",
        "Organization",
        f"<h2>Our teams</h2>{nested}<h2>Rules</h2><ul><li>Be on time</li></ul>",
    )
    assert outline(entries(store.database)) == {
        "Crane (team)": {"Ida Holm (lead)": {}, "Night shift ()": {}},
        "Pilot (team)": {},
    }


def test_pages_under_a_page_of_teams_are_teams_and_their_tables_name_members(
    store: EvidenceStore,
) -> None:
    index(store, "1", "Teams")
    index(
        store,
        "2",
        "Crane",
        table("!Name | !Role", "Ida Holm | Lead", "Ben Sato | Crane driver"),
        parent_id="1",
    )
    index(store, "3", "Rota", parent_id="2")
    assert outline(entries(store.database)) == {
        "Crane (team)": {"Ida Holm (lead)": {}, "Ben Sato (Crane driver)": {}}
    }
    (crane,) = entries(store.database)
    assert crane["page"] == "2"


def test_a_page_named_for_a_department_holds_the_pages_of_its_teams(store: EvidenceStore) -> None:
    index(store, "1", "Abteilung Einkauf")
    index(store, "2", "Team Lager", parent_id="1")
    index(store, "3", "Team meeting 12 May", parent_id="2")
    assert outline(entries(store.database)) == {
        "Abteilung Einkauf (Abteilung)": {"Team Lager (team)": {}}
    }


def test_the_same_name_at_two_places_is_two(store: EvidenceStore) -> None:
    index(
        store,
        "1",
        "Org",
        table(
            "!Department | !Team", "Porto | Night Watch", "Aarhus | Night Watch", "Aarhus | Porto"
        ),
    )
    assert outline(entries(store.database)) == {
        "Porto (department)": {"Night Watch (team)": {}},
        "Aarhus (department)": {"Night Watch (team)": {}, "Porto (team)": {}},
    }


def test_what_not_everybody_may_read_is_in_no_draft(store: EvidenceStore) -> None:
    index(store, "1", "Organization", table("!Team", "Crane"))
    index(store, "2", "Secret Team", table("!Member", "Ida Holm"), acl="few", parent_id="1")
    assert "Secret" not in draft(store.database).text
    assert "Ida" not in draft(store.database).text
    with pytest.raises(SettingsError, match="no page of this id or title that everybody may read"):
        draft(store.database, ["2"])


def test_a_page_may_be_named_by_id_or_title(store: EvidenceStore) -> None:
    index(store, "1", "Who is who", table("!Team", "Crane"))
    assert entries(store.database) == []
    assert (
        entries(store.database, "who is who")
        == entries(store.database, "1")
        == [{"name": "Crane", "kind": "team", "page": "1"}]
    )


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, store: EvidenceStore, tmp_path: Path) -> Any:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    settings.cache_clear()

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["entities", *arguments])

    yield command
    settings.cache_clear()


def test_the_command_says_what_it_found_and_its_file_can_be_used(
    run: Any, store: EvidenceStore, tmp_path: Path
) -> None:
    index(
        store,
        "1",
        "Org chart",
        table("!Department | !Team", "Porto | Night Watch", "Aarhus | Night Watch"),
    )
    file = tmp_path / "entities.yaml"
    done = run("--out", str(file))
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.splitlines() == ["read: Org chart", "found: 2 departments, 2 teams"]
    assert [each.name for each in read(file)] == ["Porto", "Night Watch", "Aarhus", "Night Watch"]


def test_a_file_is_overwritten_only_by_force(
    run: Any, store: EvidenceStore, tmp_path: Path
) -> None:
    index(store, "1", "Org chart", table("!Team", "Crane"))
    file = tmp_path / "entities.yaml"
    file.write_text("mine")
    done = run("--out", str(file))
    assert (done.exit_code, file.read_text()) == (2, "mine")
    assert "use --force to write over it" in done.stderr
    assert run("--out", str(file), "--force").exit_code == 0
    assert "Crane" in file.read_text()


def test_nothing_found_is_said_and_is_a_failure(run: Any, store: EvidenceStore) -> None:
    index(store, "1", "Lunch")
    done = run()
    assert (done.exit_code, done.stdout) == (1, "")
    assert "nothing found: name pages" in done.stderr
