"""Health of a program for its supervisor: /healthz, /readyz, and /metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from prometheus_client import CollectorRegistry, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from core import logs
from core.http.server import listen, serve_in_background

OK = "ok"

Check = Callable[[], str]  # `ok`, or what is wrong
Numbers = Callable[[], CollectorRegistry]  # those of now, beside what is counted

log = logs.get(__name__)


class Health:
    """Before its program works it says what that waits for."""

    def __init__(self) -> None:
        self._waits_for = "its settings"
        self._checks: Mapping[str, Check] = {}
        self._more: Callable[[], Mapping[str, object]] = dict
        self._numbers: Sequence[Numbers] = ()

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/metrics", self.metrics),
        ]

    def waits_for(self, what: str) -> None:
        self._waits_for = what

    def works(
        self,
        checks: Mapping[str, Check],
        *,
        more: Callable[[], Mapping[str, object]] = dict,
        numbers: Sequence[Numbers] = (),
    ) -> None:
        """The program works as long as all checks say OK; `more` is told and changes nothing."""
        self._checks, self._more, self._numbers = checks, more, numbers
        self._waits_for = ""

    def healthz(self, _request: Request) -> Response:
        """Liveness: nothing else is checked, so an outage of a store does not restart a program."""
        return PlainTextResponse(OK)

    def readyz(self, _request: Request) -> Response:
        """Readiness: what works and what does not; 503 when something is missing."""
        if self._waits_for:
            return JSONResponse({"ready": False, "waits_for": self._waits_for}, 503)
        states = {name: check() for name, check in self._checks.items()}
        ready = set(states.values()) <= {OK}
        return JSONResponse({"ready": ready, **states, **self._more()}, 200 if ready else 503)

    def metrics(self, _request: Request) -> Response:
        """In Prometheus' text format: what this process has counted, and the numbers of now."""
        texts = [generate_latest(), *(generate_latest(numbers()) for numbers in self._numbers)]
        return Response(b"".join(texts), media_type="text/plain; version=0.0.4")

    def serve(self, host: str, port: int | None) -> None:
        """Serve it, where a port is set; one that is taken is no reason to stop working.

        Of several pools of a name on a host, whose settings are the same, one is served.
        """
        if port is None:
            return
        try:
            listener = listen(host, port)
        except OSError as error:
            log.error("health.not_shown", host=host, port=port, error=str(error))
            return
        serve_in_background(self.routes, listener)
