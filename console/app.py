"""The console as a web application: every room, what it is for, and who may enter it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from console.guard import Guard, Visit
from console.parts import ConsoleParts
from console.rendering import STATIC
from console.rooms import again, answer, cost, gaps, pages, pairs, questions, settings, sync
from console.rooms.today import DoctorsFindings, TodayRoom
from console.sessions import ConsoleRole, Sessions
from console.sign_in.pages import SignInPages
from console.sign_in.roles import roles
from console.sign_in.slack import CALLBACK, SlackSignIn

# Another name that leads to this machine is another site's: DNS rebinding.
HOSTS = ("127.0.0.1", "localhost")


def build(
    parts: ConsoleParts,
    sessions: Sessions,
    hosts: Sequence[str] = HOSTS,
) -> Starlette:
    guard = Guard(parts, sessions)
    own = urlsplit(parts.settings.console_url).hostname
    health = DoctorsFindings(parts.look)
    health.begin()
    return Starlette(
        routes=[
            Route("/in", guard.enter),
            *_sign_in(guard, parts),
            Mount("/static", StaticFiles(directory=STATIC)),
            *_rooms(guard, TodayRoom(health)),
            Route("/{path:path}", guard.room(Visit.not_there, ConsoleRole.VIEWER)),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=[*hosts, *filter(None, [own])])
        ],
    )


def _sign_in(guard: Guard, parts: ConsoleParts) -> list[Route]:
    """Nothing where nobody is to sign in."""
    slack = SlackSignIn.of(parts.settings)
    if slack is None:
        return []
    pages = SignInPages(guard, parts.database, slack, roles(parts.settings))
    return [Route("/sign-in", pages.begin), Route(CALLBACK, pages.end)]


def _rooms(guard: Guard, today: TodayRoom) -> list[Route]:
    viewer, operator = ConsoleRole.VIEWER, ConsoleRole.OPERATOR
    shown = [
        ("/", today.show, viewer),
        ("/charts/questions.svg", today.chart, viewer),
        ("/gaps", gaps.show, viewer),
        ("/pages", pages.show, viewer),
        ("/pages/{source}/{page}", pages.one, operator),
        ("/sync", sync.show, viewer),
        ("/cost", cost.show, viewer),
        ("/charts/cost.svg", cost.chart, viewer),
        ("/questions", questions.show, operator),
        ("/questions/{turn}", answer.show, operator),
        ("/questions/{turn}/why.png", answer.picture, operator),
        ("/pairs", pairs.show, operator),
        ("/settings", settings.show, operator),
    ]
    done = [
        ("/look", today.look, viewer),
        ("/out", guard.leave, viewer),
        ("/questions/{turn}/again", again.ask, operator),
        ("/gaps/fixed", gaps.fixed, operator),
        ("/pairs/decide", pairs.decide, operator),
    ]
    return [
        *(Route(path, guard.room(show, needed)) for path, show, needed in shown),
        *(Route(path, guard.action(act, needed), methods=["POST"]) for path, act, needed in done),
    ]
