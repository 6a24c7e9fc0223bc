"""The pages on which somebody links an account: start, Atlassian's consent or a token, done.

Against somebody who links an account to another person's Slack, or another person's account to
their own: the button in Home carries a ticket, the page says for whom it is, and from there on
everything happens in one browser, which has a cookie. Each ticket works once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bot import voices
from bot.linking.page import page, spoken
from bot.linking.tickets import VALID_S, LinkStep, Ticket, TicketRefused, Tickets, new_id
from core import logs
from core.access import own_tokens
from core.access.linked_accounts import Holder, LinkedAccounts, Tokens
from core.access.oauth import CALLBACK, AtlassianApp
from core.access.sites import LinkBy
from core.errors import GrantRefused, SourceError, SourceRefused
from core.language.sentences import Sentences
from core.policy import audit
from core.policy.audit import Act
from core.storage.database import Database

START = "/link/start"
MOST_BYTES = 20_000  # of a form
FIELDS = {
    LinkBy.CONSENT: (),
    LinkBy.API_TOKEN: ("username", "token"),
    LinkBy.PERSONAL_TOKEN: ("token",),
}

log = logs.get(__name__)


@dataclass(frozen=True)
class Linking:
    """How people link on this site."""

    by: LinkBy
    site: str  # CONFLUENCE_URL
    public_url: str
    app: AtlassianApp | None = None  # with LinkBy.CONSENT


class LinkPages:
    """What browsers are shown; nothing that is secret is logged."""

    def __init__(
        self,
        database: Database,
        accounts: LinkedAccounts,
        *,
        linking: Linking,
        tickets: Tickets,
        person: Callable[[str, str], str],
    ) -> None:
        """`person` names somebody in Slack, by team and user, so that they know themselves."""
        self._database = database
        self._accounts = accounts
        self._linking = linking
        self._tickets = tickets
        self._person = person

    @property
    def routes(self) -> list[Route]:
        return [
            Route(START, self.start),
            Route(START, self.go_on, methods=["POST"]),
            Route(CALLBACK, self.callback),
        ]

    def start(self, request: Request) -> Response:
        """For whom it is, and whether to go on."""
        try:
            ticket = self._tickets.read(request.query_params.get("ticket", ""), LinkStep.START)
        except TicketRefused:
            return self._refused(request)
        cookie = request.cookies.get(self._cookie, "") or new_id()
        response = self._form(ticket, cookie)
        self._set_cookie(response, cookie, max_age=VALID_S)
        return response

    async def go_on(self, request: Request) -> Response:
        """Whoever looks at it has gone on."""
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BYTES:
                return page(spoken(request), spoken(request)("link-failed"), status=413)
        sent = dict(parse_qsl(body.decode(errors="replace")))
        return await to_thread.run_sync(self._sent, request, sent)

    def callback(self, request: Request) -> Response:
        """Back from Atlassian, with a code or with what became of it."""
        query, cookie = request.query_params, request.cookies.get(self._cookie, "")
        try:
            ticket = self._tickets.read(query.get("state", ""), LinkStep.CALLBACK, cookie)
            self._tickets.use(ticket)
        except TicketRefused:
            return self._refused(request)
        say = self._say(ticket)
        app = self._linking.app
        if app is None or "code" not in query:
            return page(say, say("link-not-allowed"), status=403)
        try:
            tokens = app.exchange(query["code"])
            site = app.site(tokens, self._linking.site)
            holder = app.holder(tokens)
        except SourceError as error:
            return self._failed(ticket, error)
        return self._linked(ticket, holder, site=site, tokens=tokens)

    def _sent(self, request: Request, sent: dict[str, str]) -> Response:
        cookie = request.cookies.get(self._cookie, "")
        try:
            ticket = self._tickets.read(sent.get("form", ""), LinkStep.FORM, cookie)
            if self._linking.app is None:
                return self._pasted(ticket, cookie, sent)
            self._tickets.use(ticket)
        except TicketRefused:
            return self._refused(request)
        state = self._tickets.after(ticket, LinkStep.CALLBACK, cookie)
        url = self._linking.app.consent_url(state)
        headers = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
        return RedirectResponse(url, 303, headers=headers)

    def _pasted(self, ticket: Ticket, cookie: str, sent: dict[str, str]) -> Response:
        """A token that does not work may be pasted again."""
        username = sent.get("username", "").strip()
        tokens = Tokens(access=sent.get("token", "").strip(), username=username)
        if not tokens.access or (self._linking.by is LinkBy.API_TOKEN and not username):
            return self._form(ticket, cookie, "link-token-refused")
        try:
            holder = own_tokens.holder(self._linking.site, tokens)
        except GrantRefused:
            return self._form(ticket, cookie, "link-token-refused")
        except SourceError as error:
            return self._failed(ticket, error)
        self._tickets.use(ticket)
        return self._linked(ticket, holder, site=self._linking.site, tokens=tokens)

    def _form(self, ticket: Ticket, cookie: str, *before: str) -> Response:
        say, linking = self._say(ticket), self._linking
        told = [say(key) for key in before]
        told.append(say("link-for", person=self._person(ticket.team, ticket.user)))
        told.append(say(f"link-by-{linking.by.value}", site=linking.site))
        return page(
            say,
            *told,
            form=self._tickets.next(ticket, LinkStep.FORM, cookie),
            fields=FIELDS[linking.by],
            status=400 if before else 200,
            then=linking.app.auth_url if linking.app else "",
        )

    def _linked(self, ticket: Ticket, holder: Holder, *, site: str, tokens: Tokens) -> Response:
        self._accounts.link(ticket.team, ticket.user, holder, site=site, tokens=tokens)
        audit.write(
            self._database,
            Act.LINKED,
            team=ticket.team,
            actor=ticket.user,
            subject=holder.account,
        )
        log.info("link.made", team=ticket.team, user=ticket.user, account=holder.account)
        say = self._say(ticket)
        person = self._person(ticket.team, ticket.user)
        response = page(say, say("link-done", account=holder.name, person=person))
        self._set_cookie(response, "", max_age=0)
        return response

    def _failed(self, ticket: Ticket, error: SourceError) -> Response:
        log.warning("link.failed", team=ticket.team, user=ticket.user, error=str(error))
        say = self._say(ticket)
        if isinstance(error, SourceRefused) and not isinstance(error, GrantRefused):
            return page(say, say("link-other-site", site=self._linking.site), status=403)
        return page(say, say("link-failed"), status=502)

    def _refused(self, request: Request) -> Response:
        say = spoken(request)
        return page(say, say("link-expired"), status=403)

    def _say(self, ticket: Ticket) -> Sentences:
        return voices.to(self._database, ticket.team, ticket.user)

    def _set_cookie(self, response: Response, value: str, *, max_age: int) -> None:
        """Sent along when Atlassian sends the browser back, and with no form of another site."""
        response.set_cookie(
            self._cookie,
            value,
            max_age=max_age,
            secure=self._has_tls,
            httponly=True,
            samesite="lax",
        )

    @property
    def _cookie(self) -> str:
        """With TLS no other host can set a cookie of this name: RFC 6265bis, section 4.1.3.2."""
        return "__Host-groundwire-link" if self._has_tls else "groundwire-link"

    @property
    def _has_tls(self) -> bool:
        return self._linking.public_url.startswith("https:")
