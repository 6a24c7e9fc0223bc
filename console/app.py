"""The console as a web application: every room, what it is for, and who may enter it."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from console.guard import Guard, Visit
from console.parts import ConsoleParts
from console.rendering import STATIC
from console.rooms import again, answer, cost, gaps, pages, questions, settings, sync
from console.rooms.today import DoctorsFindings, TodayRoom
from console.sessions import ConsoleRole, Sessions

# Another name that leads to this machine is another site's: DNS rebinding.
HOSTS = ("127.0.0.1", "localhost")


def build(
    parts: ConsoleParts,
    sessions: Sessions,
    hosts: Sequence[str] = HOSTS,
) -> Starlette:
    guard = Guard(parts, sessions)
    health = DoctorsFindings(parts.look)
    health.begin()
    return Starlette(
        routes=[
            Route("/in", guard.enter),
            Mount("/static", StaticFiles(directory=STATIC)),
            *_rooms(guard, TodayRoom(health)),
            Route("/{path:path}", guard.room(Visit.not_there, ConsoleRole.VIEWER)),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))],
    )


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
        ("/settings", settings.show, operator),
    ]
    done = [
        ("/look", today.look, viewer),
        ("/out", guard.leave, viewer),
        ("/questions/{turn}/again", again.ask, operator),
    ]
    return [
        *(Route(path, guard.room(show, needed)) for path, show, needed in shown),
        *(Route(path, guard.action(act, needed), methods=["POST"]) for path, act, needed in done),
    ]
