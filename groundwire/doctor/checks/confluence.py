"""Confluence: whether it is the right address and account, and whether the spaces are there."""

from __future__ import annotations

import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import requests

from core.access import own_tokens
from core.access.linked_accounts import Holder, Tokens
from core.confluence import connect_live
from core.confluence.cloud import Cloud
from core.confluence.detect import cloud_client, indexer, server_client, transport
from core.confluence.pace import LIVE_RETRY, LIVE_TIMEOUT_S
from core.confluence.reply import as_json
from core.errors import (
    SettingsError,
    SourceError,
    SourceNotUnderstood,
    SourceRefused,
    SourceUnknown,
    SourceUnreachable,
)
from core.models import Page
from core.page_source import PageSource, Space
from groundwire.doctor.finding import HealthFinding, NotTried, not_tried, ok, warning, wrong
from groundwire.doctor.patient import Patient, once

CLOUD, DATA_CENTER = "Cloud", "Data Center"
ADDRESS = "CONFLUENCE_URL: https://SITE.atlassian.net/wiki, or Data Center's with its context path"
RENEWED = "CONFLUENCE_TOKEN (and for Cloud CONFLUENCE_USERNAME, its e-mail): docs/confluence.md"
SPACES = "CONFLUENCE_SPACES, or let this account see them; keys stand in a page's address"
MOST_SPACES = 10  # of which a page is looked for
OTHERS = "the account has to see what is in CONFLUENCE_SPACES: docs/confluence.md"


@dataclass(frozen=True)
class SiteReply:
    """What the site answers to the smallest question, and when."""

    headers: requests.structures.CaseInsensitiveDict[str]
    kind: str
    sent_at: float
    heard_at: float


@once
def source(at: Patient) -> PageSource:
    """The site of the settings.

    Raises:
        NotTried: they name none.
        SettingsError: the settings contradict each other or the site.
    """
    for name in ("confluence_url", "confluence_token", "confluence_spaces"):
        if not getattr(at.settings, name):
            raise NotTried(f"no {name.upper()}")
    return connect_live(at.settings)


@once
def reply(at: Patient) -> SiteReply:
    """What the site answers to the smallest question: `ask_site`, once for all checks."""
    return ask_site(at)


def ask_site(at: Patient) -> SiteReply:
    """The first line of a listing of spaces, with its headers.

    Raises:
        SettingsError, SourceError: there is none.
    """
    kind = CLOUD if isinstance(source(at), Cloud) else DATA_CENTER
    client, path = (
        (cloud_client, "api/v2/spaces") if kind == CLOUD else (server_client, "rest/api/space")
    )
    login = indexer(at.settings)
    asked = transport(at.settings, client(login, LIVE_TIMEOUT_S), LIVE_RETRY, LIVE_TIMEOUT_S)
    sent_at = time.time()
    response = asked.send(path, {"limit": "1"})
    heard_at = time.time()
    as_json(response)
    return SiteReply(response.headers, kind, sent_at, heard_at)


def address(at: Patient) -> HealthFinding:
    host = urlsplit(at.settings.confluence_url or "").hostname or ""
    try:
        return ok(f"{host} is Confluence {reply(at).kind}")
    except SettingsError as error:
        return wrong(str(error), f"{ADDRESS}; or CONFLUENCE_FLAVOR")
    except SourceRefused:
        return ok(f"{host} answers, and refuses the account")
    except SourceUnreachable as error:
        return wrong(_plain(error), f"{ADDRESS}; or the network, a proxy", may_come=True)
    except SourceError as error:
        return wrong(_plain(error), ADDRESS)


def account(at: Patient) -> HealthFinding:
    """Whose token it is: an expired one is nobody's, and some sites then show what is public."""
    login = indexer(at.settings)
    if not login.token or not login.url:
        raise NotTried("no CONFLUENCE_TOKEN")
    _require_answer(at)
    try:
        found = whose(login.url, login.token, login.username)
    except SourceRefused as error:
        return _refused(at, error)
    except SourceUnreachable as error:
        raise NotTried("the site does not answer") from error
    except SourceError as error:
        raise NotTried(f"the site does not say whose the token is: {error}") from error
    return ok(f"reads as {found.name or found.account}")


def _require_answer(at: Patient) -> None:
    """A site that says nothing costs the time of one request, and of no more."""
    try:
        reply(at)
    except SourceUnreachable as error:
        raise NotTried("the site does not answer") from error
    except (SettingsError, SourceError):
        return  # it says something: what, is another check's


def _refused(at: Patient, error: SourceRefused) -> HealthFinding:
    """A token with scopes may read pages and yet not be told whose it is."""
    try:
        reply(at)
    except (SettingsError, SourceError):
        return wrong(f"refused: {error}", RENEWED)
    return warning(
        f"spaces can be read, but {error}",
        f"a token with scopes: add read:confluence-user; else {RENEWED}",
    )


def whose(url: str, token: str, username: str) -> Holder:
    """Whose this token is; raises a SourceError."""
    return own_tokens.holder(url, Tokens(access=token, username=username))


@once
def found_spaces(at: Patient) -> list[Space]:
    """The configured spaces.

    Raises:
        NotTried: the site cannot be asked.
        SettingsError: one is not there.
    """
    try:
        reply(at)
    except (SettingsError, SourceError) as error:
        raise NotTried("the site cannot be asked") from error
    return source(at).spaces(at.settings.space_keys)


def spaces(at: Patient) -> HealthFinding:
    try:
        found = found_spaces(at)
    except SettingsError as error:
        return wrong(str(error), SPACES)
    except SourceError as error:
        return wrong(_plain(error), OTHERS)
    if not found:
        return wrong("this account sees no space at all", SPACES)
    keys = ", ".join(space.key for space in found[:MOST_SPACES])
    more = ", …" if len(found) > MOST_SPACES else ""
    return ok(f"{len(found)} can be read: {keys}{more}")


@once
def first_pages(at: Patient) -> dict[str, Page | None]:
    """A page of each of the first spaces, by its key; None where the account sees none."""
    try:
        found = found_spaces(at)[:MOST_SPACES]
    except SettingsError as error:
        raise NotTried("a space is not there") from error
    pages: dict[str, Page | None] = {}
    for space in found:
        listed = next(iter(source(at).manifest(space)), None)
        pages[space.key] = listed.page if listed else None
    return pages


def pages(at: Patient) -> HealthFinding:
    """Whether something can be read in each space: a listing, and one body."""
    found = first_pages(at)
    there = {key: page for key, page in found.items() if page}
    if empty := sorted(found.keys() - there.keys()):
        return warning(f"no page to be seen in {', '.join(empty)}", OTHERS)
    page = next(iter(there.values()))
    assert page
    try:
        bodies = source(at).bodies([page])
    except SourceError as error:
        return wrong(_plain(error), OTHERS)
    if page.id not in bodies:
        return wrong("listed pages come without their bodies", "ask the site's admin why")
    return ok(f"can be listed in {len(found)} spaces, and one was read")


def pace(at: Patient) -> HealthFinding:
    """What the site says of its limits: developer.atlassian.com/cloud/confluence/rate-limiting"""
    try:
        headers = reply(at).headers
    except (SettingsError, SourceError) as error:
        raise NotTried("the site cannot be asked") from error
    ours = f"{at.settings.confluence_requests_per_second:g} a second are asked at most"
    limit, left = headers.get("X-RateLimit-Limit"), headers.get("X-RateLimit-Remaining")
    if headers.get("X-RateLimit-NearLimit", "").lower() == "true":
        return warning(
            f"less than a fifth of the site's limit is left; {ours}",
            "lower CONFLUENCE_REQUESTS_PER_SECOND, or sync when fewer others do",
        )
    if limit is None and left is None:
        return ok(f"the site tells of no limit; {ours}")
    return ok(f"limit {limit or '?'}, {left or '?'} left; {ours}")


def attachments(at: Patient) -> HealthFinding:
    """One file is fetched, as far as it is allowed: redirects may lead to hosts of their own."""
    chosen = at.settings
    if not chosen.confluence_attachments:
        return not_tried("CONFLUENCE_ATTACHMENTS is off")
    site, limit = source(at), int(chosen.confluence_attachment_mb * 1_000_000)
    for page in filter(None, first_pages(at).values()):
        for file in site.attachments(page):
            if file.size <= limit:
                try:
                    size = len(site.download(file, limit=limit))
                except (SourceNotUnderstood, SourceRefused) as error:
                    return wrong(
                        _plain(error), "CONFLUENCE_FILE_HOSTS, if the site keeps them there"
                    )
                return ok(f"one of {size} bytes was fetched")
    return not_tried("the first page of each space has none to try with")


def _plain(error: SourceError) -> str:
    """Without the hint at its end, which stands in the cure."""
    said = str(error).partition("; does CONFLUENCE_URL")[0].partition("; is CONFLUENCE_URL")[0]
    if isinstance(error, SourceUnknown):
        return f"{said}: the address is another one's"
    return said
