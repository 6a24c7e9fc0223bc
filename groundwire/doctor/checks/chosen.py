"""Settings that contradict one another, do nothing, or lie where other accounts can read them."""

from __future__ import annotations

import shlex
import stat
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import make_url

from core.access.sites import link_by
from core.errors import SettingsError
from core.policy.model_routing import embedder_refusal
from core.policy.prices import require_prices
from core.settings import Settings
from core.settings.environment import given
from core.settings.named import names_of_secrets
from core.settings.private_files import OTHERS, SUFFIX
from core.settings.values import PermissionMode
from groundwire.doctor.finding import HealthFinding, ok, warning, wrong
from groundwire.doctor.patient import Patient

ONE_BOT = "keep SLACK_BOT_TOKEN for one workspace, or SLACK_OAUTH_… for several: docs/slack.md"
SHOWN_BY_SLACK = "put it into .env: docs/slack.md, “Making the app”, says where Slack shows it"
CONTAINERS = (Path("/run/secrets"), Path("/var/run/secrets"))  # nobody else is there

Problem = tuple[str, str]  # what is wrong, and its cure


def over_http() -> bool:
    """Whether Slack calls the bot; else the bot calls Slack."""
    return "--http" in shlex.split(given("BOT_OPTIONS"))


def files(at: Patient) -> HealthFinding:
    """`.env` and DATA_DIR were looked at when the settings were read; these were not."""
    file = Path(given("ENV_FILE") or ".env")
    if given("ENV_FILE") and not file.exists():
        return wrong(f"ENV_FILE={file} is not there", "the right path, or none")
    if wide := [path for path in _holding_secrets(at.settings) if _is_open(path)]:
        paths = " ".join(map(str, wide))
        return warning(f"other accounts of this machine can read {paths}", f"chmod 600 {paths}")
    if not file.exists():
        return ok(f"no .env in {Path.cwd()}: all settings are the environment's")
    return ok(f"{file.absolute()} is read; no other account can read a token")


def _holding_secrets(chosen: Settings) -> Iterator[Path]:
    for name in names_of_secrets(Settings.model_fields):
        if path := given(name + SUFFIX):
            yield Path(path)
    url = make_url(chosen.sql_url)
    # What lies in DATA_DIR is closed by that folder.
    if chosen.database_url and url.get_backend_name() == "sqlite" and url.database:
        yield Path(url.database)


def slack(at: Patient) -> HealthFinding:
    return _told(_of_slack(at.settings), "one way to Slack, with all that it needs")


def confluence(at: Patient) -> HealthFinding:
    return _told(_of_confluence(at.settings), "what Confluence needs is there")


def model(at: Patient) -> HealthFinding:
    chosen = at.settings
    said = "no model: answers quote the pages"
    if there := chosen.model_endpoint:
        said = f"text goes to {there}"
    return _told(_of_model(chosen), said)


def ports(at: Patient) -> HealthFinding:
    """Two programs cannot listen on one port."""
    users = defaultdict(list)
    for name, port in listening(at.settings).items():
        users[port].append(name)
    twice = {port: names for port, names in users.items() if len(names) > 1}
    if twice:
        said = "; ".join(f"{' and '.join(names)} are all {port}" for port, names in twice.items())
        return wrong(said, "give each a port of its own")
    return ok("no port is named twice")


def listening(chosen: Settings) -> dict[str, int]:
    """The ports on which our own programs will listen, by their settings."""
    pools = [f"{name}_metrics" for name in ("worker", "explainer", "speaker", "indexer")]
    names = ("health", *pools, "link", "webhook")
    found = {f"{name}_port".upper(): getattr(chosen, f"{name}_port") for name in names}
    return {name: port for name, port in found.items() if port}


def _of_slack(chosen: Settings) -> Iterator[Problem]:
    several = chosen.slack_oauth_client_id
    if several and chosen.slack_bot_token:
        yield "SLACK_BOT_TOKEN and SLACK_OAUTH_CLIENT_ID are both set", ONE_BOT
    if not several and not chosen.slack_bot_token:
        yield "SLACK_BOT_TOKEN is not set", SHOWN_BY_SLACK
    if not several and (chosen.slack_workspaces or chosen.slack_oauth_client_secret):
        yield "SLACK_WORKSPACES counts only beside SLACK_OAUTH_CLIENT_ID", ONE_BOT
    if several:
        yield from _missing(chosen, "slack_oauth_client_secret", "slack_workspaces", "public_url")
        yield from _missing(chosen, "token_keys")
    if over_http() and not chosen.slack_signing_secret:
        yield "BOT_OPTIONS has --http, and SLACK_SIGNING_SECRET is not set", SHOWN_BY_SLACK
    if not over_http() and not chosen.slack_app_token:
        yield "SLACK_APP_TOKEN is not set, which Socket Mode needs", SHOWN_BY_SLACK
    shows_pages = bool(several or _can_link(chosen))
    if shows_pages and not over_http() and not chosen.link_port:
        yield "people's browsers need LINK_PORT, which is not set", "LINK_PORT, behind a proxy"


def _of_confluence(chosen: Settings) -> Iterator[Problem]:
    yield from _missing(chosen, "confluence_url", "confluence_token", "confluence_spaces")
    if chosen.webhook_port and not chosen.webhook_secret:
        yield "WEBHOOK_PORT is set without WEBHOOK_SECRET", "set both, or neither"
    if chosen.confluence_witness_username and not chosen.confluence_witness_token:
        yield "the witness has no CONFLUENCE_WITNESS_TOKEN", "make one for that account"
    if bool(chosen.confirm_grace_s) != bool(chosen.confirm_grace_spaces):
        yield "CONFIRM_GRACE_S and CONFIRM_GRACE_SPACES count only together", "set both, or neither"
    if chosen.permission_mode is PermissionMode.AWARE and not chosen.confluence_everybody:
        yield (
            "PERMISSION_MODE=aware without CONFLUENCE_EVERYBODY: channels are shown nothing",
            "CONFLUENCE_EVERYBODY: the groups that everybody in Slack belongs to",
        )
    if chosen.permission_mode is PermissionMode.PUBLIC and chosen.confluence_everybody:
        return
    try:
        link_by(chosen)
    except SettingsError as error:
        yield str(error), "see docs/confluence.md, “As oneself”"


def _of_model(chosen: Settings) -> Iterator[Problem]:
    if chosen.llm_base_url and not chosen.llm_model:
        yield "LLM_BASE_URL is set without LLM_MODEL", "LLM_MODEL: its name at that endpoint"
    if not chosen.llm_base_url and (chosen.llm_model or chosen.llm_models):
        yield "LLM_MODEL does nothing without LLM_BASE_URL", "set both, or neither"
    if refusal := embedder_refusal(chosen, chosen.embedder):
        yield refusal, "another EMBEDDER, or no such setting"
    if chosen.embedder.startswith("openai:") and not chosen.llm_base_url:
        yield f"EMBEDDER={chosen.embedder} needs LLM_BASE_URL", "set it, or EMBEDDER=bundled"
    try:
        require_prices(chosen)
    except SettingsError as error:
        yield str(error), "PRICES: MODEL=IN/OUT for each model, in money for a million tokens"


def _missing(chosen: Settings, *names: str) -> Iterator[Problem]:
    for name in names:
        if not getattr(chosen, name):
            yield f"{name.upper()} is not set", "put it into .env; .env.example explains it"


def _can_link(chosen: Settings) -> bool:
    aware = chosen.permission_mode is PermissionMode.AWARE
    return bool(aware and chosen.public_url and chosen.token_keys)


def _told(problems: Iterator[Problem], well: str) -> HealthFinding:
    found = list(problems)
    if not found:
        return ok(well)
    said, cures = zip(*found, strict=True)
    return wrong("; ".join(said), "; ".join(dict.fromkeys(cures)))


def _is_open(path: Path) -> bool:
    if any(path.is_relative_to(folder) for folder in CONTAINERS) or not path.exists():
        return False
    return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)
