"""Own tokens: API tokens and personal access tokens that people have made, and whose they are."""

from __future__ import annotations

from base64 import b64encode

from core.access.http import as_object, ask
from core.access.linked_accounts import Holder, Tokens
from core.errors import GrantRefused

UNAUTHORIZED = 401  # a 403 may also mean this machine, or the hour


def holder(confluence_url: str, tokens: Tokens) -> Holder:
    """Whose token this is.

    developer.atlassian.com/cloud/confluence/rest/v1/api-group-users/ (`accountId`) and
    docs.atlassian.com/ConfluenceServer/rest/ (`userKey`), both `user/current`.

    Raises:
        GrantRefused: it is nobody's, or nobody's any more.
        SourceError: the site does not answer, or not as promised.
    """
    url = f"{confluence_url.rstrip('/')}/rest/api/user/current"
    response = ask("GET", url, headers={"Authorization": _authorization(tokens)})
    if response.status_code == UNAUTHORIZED:
        raise GrantRefused("the site does not know this token")
    me = as_object(response)
    account = me.get("accountId") or me.get("userKey")
    if not account or me.get("type") == "anonymous":
        raise GrantRefused("the site takes this token for nobody's")
    return Holder(f"user:{account}", str(me.get("displayName") or ""))


def _authorization(tokens: Tokens) -> str:
    """Cloud takes an API token with the e-mail of its account, Data Center a token alone."""
    if not tokens.username:
        return f"Bearer {tokens.access}"
    pair = f"{tokens.username}:{tokens.access}".encode()
    return f"Basic {b64encode(pair).decode()}"
