"""The two addresses of a sign-in: to Slack's page, and back from it."""

from __future__ import annotations

import hmac

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from console.guard import Guard
from console.rendering import HEADERS, page, spoken
from console.sessions import ConsoleRole
from console.sign_in.begun import VALID_S, SignInsBegun
from console.sign_in.slack import CALLBACK, SignInRefused, SlackSignIn
from core import logs
from core.policy import audit
from core.policy.audit import Act
from core.storage.database import Database

COOKIE = "groundwire-console-sign-in"

log = logs.get(__name__)


class SignInPages:
    """Lets those in whom the operator has named, with the role that stands beside their name."""

    def __init__(
        self,
        guard: Guard,
        database: Database,
        slack: SlackSignIn,
        roles: dict[str, ConsoleRole],
    ) -> None:
        self._guard = guard
        self._database = database
        self._slack = slack
        self._roles = roles  # by TEAM/USER
        self._begun = SignInsBegun()

    def begin(self, request: Request) -> Response:
        state, nonce = self._begun.begin()
        response = RedirectResponse(self._slack.consent_url(state, nonce), 303, headers=HEADERS)
        response.set_cookie(
            COOKIE,
            state,
            max_age=int(VALID_S),
            path=CALLBACK,
            secure=self._slack.redirect_url.startswith("https:"),
            httponly=True,
            samesite="lax",  # it has to come along when Slack sends the browser back
        )
        return response

    def end(self, request: Request) -> Response:
        """A page of ours goes on to the console: a strict cookie comes along from there alone."""
        given, own = request.query_params.get("state", ""), request.cookies.get(COOKIE, "")
        is_here = bool(own) and hmac.compare_digest(given.encode(), own.encode())
        nonce = self._begun.end(given) if is_here else None
        if nonce is None:
            return self._refused(request, "console-sign-in-again")
        try:
            who = self._slack.who(request.query_params.get("code", ""), nonce)
        except SignInRefused as error:
            log.warning("console.sign_in_refused", why=str(error))
            return self._refused(request, "console-sign-in-again")
        role = self._roles.get(who)
        team, _, user = who.partition("/")
        if role is None:
            audit.write(self._database, Act.REFUSED, team=team, actor=user, subject="console")
            return self._refused(request, "console-sign-in-not-named")
        response = page("entered", spoken(request), {})
        self._guard.let_in(response, request, role, who)
        response.delete_cookie(COOKIE, path=CALLBACK)
        audit.write(self._database, Act.SIGNED_IN, team=team, actor=user, subject="console")
        return response

    def _refused(self, request: Request, key: str) -> Response:
        response = page("unnamed", spoken(request), {"key": key}, status=403)
        response.delete_cookie(COOKIE, path=CALLBACK)
        return response
