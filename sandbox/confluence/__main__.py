"""`python -m sandbox.confluence --port N [--pages DIR]`: serve the stand-in for Confluence."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sandbox.confluence.app import build_app
from sandbox.confluence.site.load import CannotLoad, load
from sandbox.http.server import serve_announced

SAMPLE = Path(__file__).parents[1] / "sample"


def main() -> None:
    """Load the pages and serve them; pages that cannot be loaded end it with exit code 2."""
    asked = _arguments()
    try:
        content = load(asked.pages)
    except CannotLoad as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None
    serve_announced(
        build_app(content), "confluence", host=asked.host, port=asked.port, path="/wiki"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m sandbox.confluence", description="A stand-in for a Confluence Cloud site."
    )
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free port")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument(
        "--pages",
        type=Path,
        default=SAMPLE,
        help="a folder of pages; by default the sample company",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
