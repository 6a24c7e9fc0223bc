"""`python -m sandbox.llm --port N`: serve the stand-in, a real model, or an odd endpoint."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sandbox.http.server import serve_announced
from sandbox.llm import odd, small
from sandbox.llm.app import build_app

TOY = "toy"


def main() -> None:
    """Serve the endpoint with the toy behind it, the small model, or one that does as few do."""
    asked = _arguments()
    if asked.model == small.NAME:
        _serve_small(asked.host, asked.port, asked.weights)
    else:
        app = odd.build(odd.ODD[asked.odd]) if asked.odd else build_app()
        serve_announced(app, "llm", host=asked.host, port=asked.port, path="/v1")


def _serve_small(host: str, port: int, weights: Path | None) -> None:
    try:
        small.serve(host, port, weights)
    except small.NotInstalled as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m sandbox.llm",
        description="An OpenAI-compatible endpoint with a scripted model.",
    )
    parser.add_argument(
        "--model",
        choices=[TOY, small.NAME],
        default=TOY,
        help="smollm2: a real one (scripts/install sandbox,smollm2)",
    )
    parser.add_argument(
        "--weights", type=Path, help="smollm2: another file of its weights, as GGUF"
    )
    parser.add_argument(
        "--odd", choices=odd.ODD, metavar="WHAT", help=f"what is odd: {', '.join(odd.ODD)}"
    )
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free port")
    parser.add_argument("--host", default="127.0.0.1")
    return parser.parse_args()


if __name__ == "__main__":
    main()
