"""The control API of the stand-in as a Python object, for tests and the demo."""

from __future__ import annotations

from typing import Any, Self

import httpx

Json = dict[str, Any]


class Site:
    """A running stand-in; every verb raises `httpx.HTTPStatusError` when it is refused."""

    def __init__(self, base_url: str) -> None:
        """`base_url` as the stand-in prints it, with or without `/wiki`."""
        self._http = httpx.Client(
            base_url=base_url.rstrip("/").removesuffix("/wiki"), timeout=60, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def create(self, space: str, title: str, body: str, **more: Any) -> Json:
        """A new page, as JSON; `more` are other fields of an entry, such as parent_id or labels."""
        return self._post("create", space=space, title=title, body=body, **more)

    def edit(self, page_id: str, body: str, message: str = "") -> Json:
        return self._post("edit", id=page_id, body=body, message=message)

    def rename(self, page_id: str, title: str) -> Json:
        return self._post("rename", id=page_id, title=title)

    def move(self, page_id: str, *, parent_id: str | None = None, space: str | None = None) -> Json:
        """Under another page, or to the top of a space."""
        return self._post("move", id=page_id, parent_id=parent_id, space=space)

    def archive(self, page_id: str) -> Json:
        return self._post("archive", id=page_id)

    def trash(self, page_id: str) -> Json:
        return self._post("trash", id=page_id)

    def restore(self, page_id: str) -> Json:
        """Out of the archive or the trash."""
        return self._post("restore", id=page_id)

    def purge(self, page_id: str) -> Json:
        """Remove for good: the API answers 404 from now on."""
        return self._post("purge", id=page_id)

    def restrict(
        self, page_id: str, *, users: list[str] | None = None, groups: list[str] | None = None
    ) -> Json:
        """Let only these account ids and groups read a page."""
        return self._post("restrict", id=page_id, users=users or [], groups=groups or [])

    def unrestrict(self, page_id: str) -> Json:
        return self._post("unrestrict", id=page_id)

    def labels(self, page_id: str, labels: list[str]) -> Json:
        """Replace the labels of a page."""
        return self._post("labels", id=page_id, labels=labels)

    def blind(self, page_id: str) -> Json:
        """Hide a page, and what is under it, from the account of the indexer."""
        return self._post("blind", id=page_id)

    def members(self, group: str, accounts: list[str]) -> None:
        self._post("group", name=group, members=accounts)

    def space_readers(
        self, space: str, *, users: list[str] | None = None, groups: list[str] | None = None
    ) -> None:
        """Let only these account ids and groups see a space."""
        self._post("space-readers", space=space, users=users or [], groups=groups or [])

    def give_token(self, account: str, token: str) -> None:
        """On Cloud beside the person's e-mail, or at the gateway; on Data Center by itself."""
        self._post("give-token", account=account, token=token)

    def revoke_token(self, token: str) -> None:
        self._post("revoke-token", token=token)

    def search_lag(self, seconds: float) -> None:
        """The search shows what changes from now on so much later."""
        self._post("search-lag", seconds=seconds)

    def comment(self, page_id: str, body: str, *, author: str = "", kind: str = "footer") -> None:
        self._post("comment", id=page_id, body=body, author=author, kind=kind)

    def attach(
        self, page_id: str, name: str, data: bytes, media_type: str = "application/octet-stream"
    ) -> None:
        """A file on a page, or a new version of it."""
        self._post("attach", id=page_id, name=name, data=data.hex(), media_type=media_type)

    def detach(self, page_id: str, name: str) -> None:
        self._post("detach", id=page_id, name=name)

    def fill(self, space: str, pages: int, *, is_new: bool = False) -> None:
        """Many generated pages in a tree, edited long ago or now."""
        self._post("fill", space=space, pages=pages, is_new=is_new)

    def webhooks(self, url: str, secret: str, *, flavor: str = "datacenter") -> None:
        """Tell this address of changes, in the shape of `datacenter` or `forge`; "" ends it."""
        self._post("webhooks", url=url, secret=secret, flavor=flavor)

    def chaos(self, rate: float, *, seed: int, kinds: list[str]) -> None:
        """Let this share of requests fail from now on, by names of `sandbox.http.faults.CHAOS`."""
        self._post("chaos", rate=rate, seed=seed, kinds=kinds)

    def calm(self) -> None:
        """No more random faults."""
        self._post("chaos", rate=0, seed=0, kinds=[])

    def fault(self, **order: Any) -> None:
        """Order a fault; the fields are those of `sandbox.http.faults.Fault`."""
        self._post("faults", **order)

    def oauth(self, **order: Any) -> Json:
        """What happens to people's tokens: see `sandbox.confluence.oauth.post_order`."""
        return self._post("oauth", **order)

    def received(self) -> list[Json]:
        """Method, path and query of every API request since the start or the last reset."""
        reply = self._http.get("/sandbox/received").raise_for_status()
        received: list[Json] = reply.json()["received"]
        return received

    def reset(self) -> None:
        """Back to the pages as loaded, without faults, nothing received."""
        self._post("reset")

    def _post(self, verb: str, **sent: Any) -> Json:
        reply: Json = self._http.post(f"/sandbox/{verb}", json=sent).raise_for_status().json()
        return reply
