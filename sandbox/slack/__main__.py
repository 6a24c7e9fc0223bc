"""`python -m sandbox.slack --port N`: serve the stand-in for Slack and its workspace page."""

from __future__ import annotations

import argparse

from sandbox.slack.app import build_app
from sandbox.slack.serve import serve_announced
from sandbox.slack.workspace.link import RetryPolicy
from sandbox.slack.workspace.tiers import PUBLISHED, UNLIMITED

LIMITS = {"published": PUBLISHED, "none": UNLIMITED}


def main() -> None:
    """Serve until stopped; a taken port ends it with exit code 2."""
    asked = _arguments()
    retry_policy = RetryPolicy(asked.ack_seconds, tuple(asked.retry_seconds))
    app = build_app(retry_policy, asked.seed, LIMITS[asked.limits])
    serve_announced(app, asked.host, asked.port)


def _arguments() -> argparse.Namespace:
    usual = RetryPolicy()
    parser = argparse.ArgumentParser(
        prog="python -m sandbox.slack",
        description="A stand-in for Slack: Web API, Socket Mode and a page.",
    )
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free port")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument(
        "--ack-seconds",
        type=float,
        default=usual.ack_s,
        help="how long an event may stay unacknowledged",
    )
    parser.add_argument(
        "--retry-seconds",
        type=float,
        nargs="*",
        default=usual.retries_s,
        help="waits before each redelivery",
    )
    parser.add_argument("--seed", type=int, help="fixes the order of the two events of a mention")
    parser.add_argument(
        "--limits",
        choices=LIMITS,
        default="published",
        help="how often each method may be called: Slack's published tiers, or no limits",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
