"""`python -m sandbox.llm --port N`: serve the stand-in for a language model."""

from __future__ import annotations

import argparse

from sandbox.llm.app import build_app
from sandbox.serve import serve_announced


def main() -> None:
    """Serve the endpoint with the toy behind it."""
    asked = _arguments()
    serve_announced(build_app(), "llm", host=asked.host, port=asked.port, path="/v1")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandbox.llm", description="An OpenAI-compatible endpoint with a scripted model.")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free port")
    parser.add_argument("--host", default="127.0.0.1")
    return parser.parse_args()


if __name__ == "__main__":
    main()
