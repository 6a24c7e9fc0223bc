"""A person's browser, which keeps its cookies and follows nothing by itself."""

from __future__ import annotations

import html
import re
from typing import Self

import httpx


class Browser:
    """One browser; another one has other cookies."""

    def __init__(self) -> None:
        self.http = httpx.Client(trust_env=False, timeout=30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def open(self, url: str) -> httpx.Response:
        return self.http.get(url)

    def send(self, shown: httpx.Response, **fields: str) -> httpx.Response:
        """Fill in the form of a page that is shown, and press its button."""
        found = re.search(r'name="form" value="([^"]+)"', shown.text)
        assert found, shown.text
        where = shown.url.copy_with(query=None)
        return self.http.post(where, data=fields | {"form": html.unescape(found[1])})
