"""What is copied from deploy/ and the docs is what the program takes: commands and settings."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from core.settings import Settings
from core.settings.named import names_of_secrets
from groundwire.commands import app
from groundwire.running.up import programs

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SETTINGS = {name.upper() for name in Settings.model_fields}
FILES = {f"{name}_FILE" for name in names_of_secrets(Settings.model_fields)}
_TYPED = re.compile(r"^(?:sudo (?:-\S+ \S+ )?)?(?:\S*/)?groundwire (?P<line>[^#\n|>&;]*)")
_STARTED = re.compile(r"^ExecStart=/opt/groundwire/bin/groundwire (.*)$", re.MULTILINE)
_IN_TEXT = re.compile(r"`groundwire (?P<line>[^`\n]*)`")
_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def understood(words: list[str]) -> None:
    """Have the real command take these words apart, and do nothing.

    Raises:
        typer's UsageError: it does not know one of them.
    """
    command: Any = get_command(app)
    context = command.make_context("groundwire", list(words))
    while hasattr(command, "resolve_command") and (
        rest := list(context._protected_args) + context.args
    ):
        name, command, rest = command.resolve_command(context, rest)
        context = command.make_context(name, rest, parent=context)


def typed_in(text: str) -> Iterator[str]:
    """Lines of a document that begin with the command, in blocks and in the text."""
    for block in _FENCE.findall(text):
        for line in block.splitlines():
            if found := _TYPED.match(line.strip().removeprefix("$ ")):
                yield found["line"].strip()
    for found in _IN_TEXT.finditer(_FENCE.sub("", text)):
        yield found["line"]


def words_of(line: str) -> list[str]:
    """As a shell splits them; what a reader fills in is a word, and so is `…`."""
    words = [word.strip("\"'[]") for word in line.split()]
    return [word for word in words if word not in ("…", "...")]


def commands() -> list[tuple[str, str]]:
    found = [(page.name, line) for page in PAGES for line in typed_in(page.read_text())]
    for unit in UNITS:
        found += [(unit.name, line) for line in _STARTED.findall(unit.read_text())]
    found += [(name, " ".join(line)) for name, line in containers()]
    return found


def containers() -> Iterator[tuple[str, list[str]]]:
    """What containers of our image are told to do."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for name, service in compose["services"].items():
        if service["image"] == "groundwire":
            yield f"compose.yaml {name}", service["command"]
    for made in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()):
        if made["kind"] == "Deployment":
            for container in made["spec"]["template"]["spec"]["containers"]:
                yield f"kubernetes.yaml {container['name']}", container["args"]


@pytest.mark.parametrize(("where", "line"), commands())
def test_every_command_line_is_understood(where: str, line: str) -> None:
    words = words_of(line)
    if any("{" in word or "|" in word for word in words):
        pytest.skip("a pattern, not a line to type")
    if len(words) == 1:  # a command that is spoken of
        assert words[0] in get_command(app).commands  # type: ignore[attr-defined]
    else:
        understood(words)


def test_a_line_that_nobody_understands_is_found() -> None:
    for line in ("synk", "sync --evry 5m", "pool answers", "backup", "indexer statut"):
        with pytest.raises(Exception, match=r"(?i)no such|invalid|missing|is not one of"):
            understood(line.split())


def test_every_program_runs_in_every_deployment() -> None:
    wanted = set(programs("")) - {"redis", "chroma"}
    started = {
        name: {
            line[1] for where, line in containers() if where.startswith(name) and line[0] == "run"
        }
        for name in ("compose.yaml", "kubernetes.yaml")
    }
    assert started == {"compose.yaml": wanted, "kubernetes.yaml": wanted}
    target = (DEPLOY / "systemd/groundwire.target").read_text()
    assert set(re.findall(r"groundwire@(\w+)\.service", target)) == set(programs(""))


def environments() -> Iterator[tuple[str, set[str]]]:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for name, service in compose["services"].items():
        if service["image"] == "groundwire":
            yield f"compose.yaml {name}", set(service["environment"])
    config, *_ = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())
    yield "kubernetes.yaml", set(config["data"])
    for unit in UNITS:
        yield unit.name, set(re.findall(r"^Environment=(\w+)=", unit.read_text(), re.M))
    image = (DEPLOY / "Containerfile").read_text()
    yield "Containerfile", set(re.findall(r"(\w+)=", re.findall(r"^ENV (.*)$", image, re.M)[0]))


@pytest.mark.parametrize(("where", "names"), list(environments()))
def test_every_setting_in_a_file_is_one(where: str, names: set[str]) -> None:
    assert names - SETTINGS - FILES - {"ENV_FILE", "PATH", "HOME"} == set()


def test_secrets_are_files_and_none_is_a_value() -> None:
    for where, names in environments():
        assert names & (set(names_of_secrets(Settings.model_fields)) - {"REDIS_URL"}) == set(), (
            where
        )


def test_no_program_is_root_nor_writes_where_it_need_not() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for name, service in compose["services"].items():
        if name != "postgres":  # its image changes its account itself
            assert service["read_only"] and service["cap_drop"] == ["ALL"], name
    assert re.findall(r"^USER (.*)$", (DEPLOY / "Containerfile").read_text(), re.M) == ["10001"]


def test_a_health_check_asks_the_port_that_the_program_shows() -> None:
    ports = {
        "bot": "HEALTH_PORT",
        "worker": "WORKER_METRICS_PORT",
        "indexer": "INDEXER_METRICS_PORT",
    }
    ports |= {"explainer": "EXPLAINER_METRICS_PORT", "speaker": "SPEAKER_METRICS_PORT"}
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name, port in ports.items():
        assert (
            f":{compose[name]['environment'][port]}/readyz"
            in compose[name]["healthcheck"]["test"][3]
        )
    config, *made = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())
    for deployment in made:
        for container in deployment["spec"]["template"]["spec"]["containers"]:
            asked = container["readinessProbe"]["httpGet"]["port"]
            assert str(asked) == config["data"][ports[container["name"]]]


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze on this machine")
    for unit in UNITS:
        # The program is not installed where the unit says.
        text = unit.read_text().replace("/opt/groundwire/bin/groundwire", "/bin/true")
        (tmp_path / unit.name.replace("@", "@bot")).write_text(text)
    files = sorted(str(path) for path in tmp_path.iterdir())
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True)
    assert [line for line in done.stderr.splitlines() if "groundwire" in line] == []
