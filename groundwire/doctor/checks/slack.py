"""Slack: whether it takes the tokens, which scopes they have, and whether it reaches the bot."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
from pydantic import SecretStr
from sqlalchemy.exc import SQLAlchemyError

from bot.http_server import PATH
from bot.slack_api.errors import SlackError, SlackRefused, SlackUnreachable
from bot.slack_api.installed.installations import Installation, Installations
from bot.slack_api.installed.token_owner import TokenOwner, open_connection, token_owner
from core.errors import SettingsError
from groundwire.doctor.checks.chosen import over_http
from groundwire.doctor.checks.database import migrated
from groundwire.doctor.finding import HealthFinding, NotTried, not_tried, ok, warning, wrong
from groundwire.doctor.patient import ROOT, Patient, once

TIMEOUT_S = 6.0
AWAY = "is the way out to slack.com open, and SLACK_API_URL Slack's?"
BOT_CURE = "a new token: api.slack.com/apps, “OAuth & Permissions”, install the app again"
APP_CURE = (
    "a token with connections:write: api.slack.com/apps, “Basic Information”, “App-Level Tokens”"
)
PASTE = "paste manifest.json under “App Manifest”, then install the app again"
# Without these the bot does its work all the same: docs/slack.md says how.
SPARED = {"assistant:write", "files:write", "reactions:write"}
ROTATING = "xoxe."  # what a token begins with that ends after twelve hours
NOT_SIGNED = 401
_CODE = re.compile(r"[a-z_]+")  # of Slack's own; its client makes one of any page


@once
def owner(at: Patient) -> TokenOwner:
    """Whose the bot token is: `ask_owner`, once for all checks."""
    return ask_owner(at)


def ask_owner(at: Patient) -> TokenOwner:
    """Whose the bot token is.

    Raises:
        NotTried: there is none.
        SlackError: Slack refuses it, or does not answer.
    """
    secret = at.settings.slack_bot_token
    if not secret:
        raise NotTried("no SLACK_BOT_TOKEN")
    return token_owner(_plain(secret), at.settings.slack_api_url)


def token(at: Patient) -> HealthFinding:
    if at.settings.slack_oauth_client_id:
        return not_tried("several workspaces: each has a token of its own")
    try:
        found = owner(at)
    except SlackError as error:
        return _refused("the bot token", error, BOT_CURE)
    if _plain(at.settings.slack_bot_token).startswith(ROTATING):
        return wrong(
            f"of the workspace {found.workspace}; it ends within 12 hours (token rotation)",
            "an app without rotation; or install it by SLACK_OAUTH_…, which renews tokens",
        )
    return ok(f"of the workspace {found.workspace} ({found.team})")


def scopes(at: Patient) -> HealthFinding:
    """Those that were granted, against those of the manifest."""
    try:
        granted = owner(at).scopes
    except SlackError as error:
        raise NotTried("Slack does not take the token") from error
    if granted is None:
        raise NotTried("Slack did not say which scopes were granted")
    wanted = scopes_of_manifest()
    if missing := sorted(wanted - granted):
        said = f"missing: {', '.join(missing)}"
        if SPARED.issuperset(missing):
            return warning(f"{said}; the bot does without", PASTE)
        return wrong(said, PASTE)
    if more := sorted(granted - wanted):
        return warning(f"more than are used: {', '.join(more)}", PASTE)
    return ok(f"all {len(wanted)} of the manifest")


def socket(at: Patient) -> HealthFinding:
    """Socket Mode: Slack gives an address to connect to."""
    if over_http():
        return not_tried("Slack calls the bot (--http)")
    if not at.settings.slack_app_token:
        raise NotTried("no SLACK_APP_TOKEN")
    try:
        open_connection(_plain(at.settings.slack_app_token), at.settings.slack_api_url)
    except SlackError as error:
        return _refused("the app-level token", error, APP_CURE)
    return ok("Slack opens a connection of Socket Mode")


def request_url(at: Patient) -> HealthFinding:
    """HTTP: what nobody signed has to come through to the bot, and be refused there."""
    if not over_http():
        return not_tried("Socket Mode: Slack need not reach the bot")
    public = at.settings.public_url.rstrip("/")
    if not public:
        return not_tried(
            "Slack does not tell where it calls the bot, and PUBLIC_URL is empty",
            "PUBLIC_URL, where that is the address of the bot, lets the doctor try the way",
        )
    cure = f"the proxy has to pass {PATH} on to the bot, which has to run"
    try:
        reply = httpx.post(f"{public}{PATH}", content=b"{}", timeout=TIMEOUT_S)
    except httpx.HTTPError as error:
        return wrong(f"{public} does not answer ({type(error).__name__})", cure, may_come=True)
    if reply.status_code == NOT_SIGNED and "Slack" in reply.text:
        return ok(f"{public}{PATH} leads to the bot, which refuses what is not signed")
    said = f"{public}{PATH} answers {reply.status_code}, as the bot would not"
    return wrong(said, cure, may_come=True)


def workspaces(at: Patient) -> HealthFinding:
    """Of several: each that may install the app, whether it has, and whether its token counts."""
    chosen = at.settings
    if not chosen.slack_oauth_client_id:
        return not_tried("one workspace, that of SLACK_BOT_TOKEN")
    try:
        installations = Installations.of(chosen, migrated(at))
    except SQLAlchemyError as error:
        raise NotTried("the database does not answer") from error
    except SettingsError as error:
        return wrong(str(error), "TOKEN_KEYS: `python -m worker keys new`, or the lost key")
    found = installations.all()
    if refused := list(_refusals(at, installations, found)):
        link = f"{chosen.public_url.rstrip('/')}/slack/install"
        return wrong("; ".join(refused), f"an admin installs the app again: {link}")
    if absent := sorted({*chosen.slack_teams} - {each.team for each in found}):
        link = f"{chosen.public_url.rstrip('/')}/slack/install"
        return warning(f"not installed yet: {', '.join(absent)}", f"an admin opens {link}")
    return ok(f"installed in {', '.join(each.name or each.team for each in found)}")


def _refusals(
    at: Patient, installations: Installations, found: list[Installation]
) -> Iterator[str]:
    """Nothing is renewed here: a refresh token works once, and is the bot's."""
    for each in found:
        tokens = installations.tokens(each.team)
        if tokens is None:
            yield f"{each.name or each.team}: no key opens its token"
        elif tokens.lasts(0):
            try:
                token_owner(tokens.access, at.settings.slack_api_url)
            except SlackRefused as error:
                yield f"{each.name or each.team}: {error.code or 'refused'}"


def scopes_of_manifest() -> frozenset[str]:
    try:
        manifest = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise NotTried("there is no manifest.json here to compare with") from error
    return frozenset(manifest["oauth_config"]["scopes"]["bot"])


def _refused(what: str, error: SlackError, cure: str) -> HealthFinding:
    if isinstance(error, SlackUnreachable):
        return wrong("Slack does not answer", AWAY, may_come=True)
    code = getattr(error, "code", "")
    if not _CODE.fullmatch(code):
        return wrong("something that is not Slack answers at SLACK_API_URL", AWAY)
    return wrong(f"Slack refuses {what}: {code}", cure)


def _plain(secret: SecretStr | None) -> str:
    return secret.get_secret_value() if secret else ""
