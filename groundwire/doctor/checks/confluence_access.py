"""Who decides in Confluence what may be shown: the witness, groups, and the right to ask."""

from __future__ import annotations

from core.access.policy import read_policy
from core.confluence import witness
from core.confluence.detect import indexer
from core.errors import SettingsError, SourceError, SourceRefused, SourceUnreachable
from core.page_source import Viewer
from core.settings.values import PermissionMode
from groundwire.doctor.checks import confluence
from groundwire.doctor.finding import HealthFinding, NotTried, not_tried, ok, warning, wrong
from groundwire.doctor.patient import Patient, once

WITNESS = "CONFLUENCE_WITNESS_…: an ordinary account, in the default group and in no other"
EVERYBODY = "CONFLUENCE_EVERYBODY: names of groups as the site has them"
MAY_ASK = (
    "give the account the global permission “Confluence Administrator” (Cloud), or let people "
    "link their accounts: docs/confluence.md, “As oneself”"
)
MOST = 12  # requests, as before an answer


@once
def _eyes(at: Patient) -> Viewer | None:
    return witness(at.settings)


def witnessed(at: Patient) -> HealthFinding:
    """Another account than the one that reads, and one that sees something of each space."""
    chosen = at.settings
    try:
        eyes = _eyes(at)
        if eyes is None:
            return ok("none: up to 12 requests before an answer ask for restrictions instead")
        token = chosen.confluence_witness_token
        plain = token.get_secret_value() if token else ""
        url = chosen.confluence_url or ""
        seen_as = confluence.whose(url, plain, chosen.confluence_witness_username)
        reader = indexer(chosen)
        reads_as = confluence.whose(reader.url, reader.token, reader.username)
        seen = _seen(at, eyes)
    except SettingsError as error:
        return wrong(str(error), WITNESS)
    except SourceRefused as error:
        return wrong(f"refused: {error}", "CONFLUENCE_WITNESS_TOKEN, or its expiry")
    except SourceUnreachable as error:
        raise NotTried("the site does not answer") from error
    if seen_as.account == reads_as.account:
        return wrong("it is the account that reads the site", WITNESS)
    blind = sorted(key for key, sees in seen.items() if not sees)
    if blind:
        return warning(
            f"{seen_as.name} does not see the first page of {', '.join(blind)}",
            "right where not everybody may enter that space; else let the witness in",
        )
    return ok(f"{seen_as.name} decides what everybody may see")


def _seen(at: Patient, eyes: Viewer) -> dict[str, bool]:
    pages = {key: page for key, page in confluence.first_pages(at).items() if page}
    visible = eyes.visible(list(pages.values()), most=MOST)
    return {key: visible.get(page.id, False) for key, page in pages.items()}


def permissions(at: Patient) -> HealthFinding:
    """The mode, the groups of everybody, and whether the account may ask for other people."""
    aware = at.settings.permission_mode is PermissionMode.AWARE
    try:
        confluence.found_spaces(at)
        policy = read_policy(at.settings, confluence.source(at))
    except SettingsError as error:
        if "CONFLUENCE_EVERYBODY" not in str(error):
            raise NotTried("a space is not there") from error
        return wrong(str(error), EVERYBODY)
    except SourceError as error:
        return wrong(f"the site does not say which groups it has: {error}", EVERYBODY)
    if not aware:
        return ok("public: pages with read restrictions are for nobody")
    if not policy.everybody:
        return warning("aware, and nobody is everybody: channels are shown nothing", EVERYBODY)
    return _asked_for_others(at)


def _asked_for_others(at: Patient) -> HealthFinding:
    page = next(filter(None, confluence.first_pages(at).values()), None)
    if page is None:
        return not_tried("aware; there is no page to ask about")
    reader = indexer(at.settings)
    try:
        me = confluence.whose(reader.url, reader.token, reader.username).account
        confluence.source(at).visible_to(me, [page], most=MOST)
    except SourceRefused:
        return wrong("aware, and this account may not ask what other people may read", MAY_ASK)
    except SettingsError as error:
        return wrong(str(error), "an upgrade of Data Center, or PERMISSION_MODE=public")
    except SourceError as error:
        return wrong(f"aware, and the site does not tell who may read: {error}", MAY_ASK)
    return ok("aware: the account may ask what other people may read")
