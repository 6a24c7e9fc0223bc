"""The guard of the console: who has no session sees nothing, and what changes something is checked.

A form is taken only from our own page: it carries the session's token, and the browser says that
it comes from here. The cookie goes along with no request that another site has begun.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from console.parts import ConsoleParts
from console.rendering import HEADERS, page, spoken
from console.sessions import LONGEST_S, ConsoleRole, ConsoleSession, Sessions
from core.language.sentences import Sentences
from core.policy import audit
from core.policy.acl import EVERYBODY, Reader
from core.policy.audit import Act

COOKIE = "groundwire-console"
NOTHING: Mapping[str, Any] = {}
MOST_BYTES = 20_000  # of a form


@dataclass(frozen=True)
class Visit:
    """A request of somebody who may be here."""

    request: Request
    session: ConsoleSession
    parts: ConsoleParts
    say: Sentences

    @property
    def is_operator(self) -> bool:
        return self.session.role.may(ConsoleRole.OPERATOR)

    @cached_property
    def reader(self) -> Reader:
        """For whom texts are shown: everybody, but for operators with a linked account."""
        return self.parts.reader(self.session.who) if self.is_operator else EVERYBODY

    def audit(
        self, act: Act, *, team: str = "", subject: str = "", details: Mapping[str, Any] = NOTHING
    ) -> None:
        """Write down what this visitor does: by whom in Slack, else with the account here."""
        known = {**details, "console": True}
        if not self.session.who:
            audit.by_operator(self.parts.database, act, team=team, subject=subject, details=known)
            return
        own, _, user = self.session.who.partition("/")
        audit.write(self.parts.database, act, team=own, actor=user, subject=subject, details=known)

    def asked(self, name: str) -> str:
        """What the address asks for under this name; empty for nothing."""
        return self.request.query_params.get(name, "")[:200]

    def show(self, name: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """The room of this template."""
        frame = {"visit": self, "room": name, "form_token": self.session.form_token}
        return page(name, self.say, frame | values, status=status)

    def not_there(self) -> HTMLResponse:
        """For what is unknown and for what may not be seen: which of the two is not told."""
        return self.show("missing", status=404)


Show = Callable[[Visit], Response]
Doing = Callable[[Visit, Mapping[str, str]], Response]


class Guard:
    """Lets those in who came by a link or have signed in, into the rooms that are for them."""

    def __init__(self, parts: ConsoleParts, sessions: Sessions) -> None:
        self._parts = parts
        self._sessions = sessions
        address = urlsplit(parts.settings.console_url)
        self._has_sign_in = bool(address.netloc)
        self._secure_host = (address.hostname or "") if address.scheme == "https" else ""

    def enter(self, request: Request) -> Response:
        """A link becomes a session; it leaves the address bar by that."""
        # Whoever only looks whether a link is there uses none up.
        link = request.query_params.get("link", "") if request.method == "GET" else ""
        secret = self._sessions.enter(link)
        if secret is None:
            return self._outside(request)
        response = RedirectResponse("/", 303, headers=HEADERS)
        self._set_cookie(response, request, secret)
        return response

    def let_in(self, response: Response, request: Request, role: ConsoleRole, who: str) -> None:
        """Open a session for somebody who has signed in, whatever session they had before."""
        self._sessions.leave(request.cookies.get(COOKIE, ""))
        self._set_cookie(response, request, self._sessions.open(role, who))

    def _set_cookie(self, response: Response, request: Request, secret: str) -> None:
        response.set_cookie(
            COOKIE,
            secret,
            max_age=int(LONGEST_S),
            secure=request.url.hostname == self._secure_host,
            httponly=True,
            samesite="strict",
        )

    def leave(self, visit: Visit, _form: Mapping[str, str]) -> Response:
        self._sessions.leave(visit.request.cookies.get(COOKIE, ""))
        response = self._outside(visit.request, status=200)
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return response

    def room(self, show: Show, needed: ConsoleRole) -> Callable[[Request], Response]:
        """The endpoint of a room for whoever has this role."""

        def endpoint(request: Request) -> Response:
            visit = self._visit(request)
            if visit is None:
                return self._outside(request)
            if not visit.session.role.may(needed):
                return visit.show("refused", status=403)
            return show(visit)

        return endpoint

    def action(self, act: Doing, needed: ConsoleRole) -> Callable[[Request], Any]:
        """The endpoint of a form of ours, for whoever has this role."""

        async def endpoint(request: Request) -> Response:
            form = await _form(request)
            return await to_thread.run_sync(self._done, request, form, act, needed)

        return endpoint

    def _done(
        self,
        request: Request,
        form: Mapping[str, str],
        act: Doing,
        needed: ConsoleRole,
    ) -> Response:
        visit = self._visit(request)
        if visit is None:
            return self._outside(request)
        sent = form.get("form_token", "").encode()
        is_ours = hmac.compare_digest(sent, visit.session.form_token.encode())
        if not is_ours or not _is_from_here(request) or not visit.session.role.may(needed):
            return visit.show("refused", status=403)
        return act(visit, form)

    def _visit(self, request: Request) -> Visit | None:
        session = self._sessions.find(request.cookies.get(COOKIE, ""))
        if session is None:
            return None
        return Visit(request, session, self._parts, spoken(request))

    def _outside(self, request: Request, status: int = 403) -> HTMLResponse:
        return page("outside", spoken(request), {"sign_in": self._has_sign_in}, status=status)


async def _form(request: Request) -> Mapping[str, str]:
    """Nothing of one that is too long: no form of ours is."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            return {}
    return dict(parse_qsl(body.decode(errors="replace")))


def _is_from_here(request: Request) -> bool:
    """Browsers name the origin of every form; what names none is no browser, and has the token."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")
