"""The control API under /sandbox/: what editors do to the site, and what tests order from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sandbox.confluence.api.paging import sent_json
from sandbox.confluence.api.shapes import entry_json
from sandbox.confluence.site.content import Content, Entry
from sandbox.confluence.site.generate import fill
from sandbox.confluence.webhooks import Subscription, tell_of_page, tell_of_space
from sandbox.http.faults import Fault, FaultPlan

Action = Callable[[Content, Entry, dict[str, Any]], object]
Endpoint = Callable[[Request], Awaitable[Response]]


def create(content: Content, sent: dict[str, Any]) -> Entry:
    """A new page or blog post."""
    return content.create(Entry(id="", **sent))


def edit(content: Content, entry: Entry, sent: dict[str, Any]) -> None:
    content.change(entry, body=sent["body"], message=sent.get("message", ""))


def rename(content: Content, entry: Entry, sent: dict[str, Any]) -> None:
    content.change(entry, title=sent["title"])


def move(content: Content, entry: Entry, sent: dict[str, Any]) -> None:
    """Move a page and all under it below another page, into its space, or to the top of a space."""
    parent = _known(content, sent["parent_id"]) if sent.get("parent_id") else None
    space = parent.space if parent else sent["space"]
    content.change(entry, parent_id=parent.id if parent else None, space=space)
    for below in content.entries.values():
        if entry in content.ancestors(below):
            below.space = space


def _status(status: str) -> Action:
    """Archiving, trashing and restoring change the status and nothing else: the version stays."""

    def put(_content: Content, entry: Entry, _sent: dict[str, Any]) -> None:
        entry.status = status

    return put


def purge(content: Content, entry: Entry, _sent: dict[str, Any]) -> None:
    content.purge(entry)


def restrict(_content: Content, entry: Entry, sent: dict[str, Any]) -> None:
    """Who alone may read it; like labels, restrictions do not raise the version."""
    entry.users, entry.groups = list(sent.get("users", [])), list(sent.get("groups", []))


def blind(content: Content, entry: Entry, _sent: dict[str, Any]) -> None:
    """The account of the indexer does not see this any more, nor what is under it."""
    content.blind.add(entry.id)


def label(_content: Content, entry: Entry, sent: dict[str, Any]) -> None:
    entry.labels = list(sent["labels"])


ACTIONS: dict[str, Action] = {
    "edit": edit,
    "rename": rename,
    "move": move,
    "archive": _status("archived"),
    "trash": _status("trashed"),
    "restore": _status("current"),
    "purge": purge,
    "restrict": restrict,
    "unrestrict": lambda content, entry, _sent: restrict(content, entry, {}),
    "labels": label,
    "blind": blind,
}


def _known(content: Content, entry_id: str) -> Entry:
    if entry_id not in content.entries:
        raise HTTPException(404, f"there is no page {entry_id}")
    return content.entries[entry_id]


def _endpoint(action: Action) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        sent = await sent_json(request)
        content: Content = request.app.state.content
        try:
            entry = _known(content, str(sent["id"]))
            action(content, entry, sent)
        except KeyError as missing:
            raise HTTPException(400, f"{missing} is missing") from None
        verb = request.url.path.rpartition("/")[2]
        await tell_of_page(request.app.state.subscriptions, verb, entry)
        return JSONResponse(entry_json(content, entry, with_body=False))

    return endpoint


async def post_create(request: Request) -> Response:
    content: Content = request.app.state.content
    try:
        entry = create(content, await sent_json(request))
    except TypeError as error:
        raise HTTPException(400, str(error)) from None
    await tell_of_page(request.app.state.subscriptions, "create", entry)
    return JSONResponse(entry_json(content, entry, with_body=False), 201)


async def post_group(request: Request) -> Response:
    """Who is in a group: account ids."""
    sent = await sent_json(request)
    request.app.state.content.groups[sent["name"]] = list(sent["members"])
    return JSONResponse({"ok": True})


async def post_space_readers(request: Request) -> Response:
    """Who may see a space: account ids and groups."""
    sent = await sent_json(request)
    readers = (list(sent["users"]), list(sent["groups"]))
    request.app.state.content.space_readers[sent["space"]] = readers
    await tell_of_space(request.app.state.subscriptions, sent["space"])
    return JSONResponse({"ok": True})


async def post_webhooks(request: Request) -> Response:
    """From now on tell this address of changes; without one, nobody any more."""
    sent = await sent_json(request)
    subscriptions: list[Subscription] = request.app.state.subscriptions
    subscriptions.clear()
    if sent["url"]:
        subscriptions.append(Subscription(sent["url"], sent["secret"], sent["flavor"]))
    return JSONResponse({"ok": True})


async def post_give_token(request: Request) -> Response:
    """A person of the site can ask with this token from now on."""
    sent = await sent_json(request)
    content: Content = request.app.state.content
    if sent["account"] not in content.people:
        raise HTTPException(404, f"there is nobody with the account {sent['account']}")
    content.tokens[sent["token"]] = sent["account"]
    return JSONResponse({"ok": True})


async def post_revoke_token(request: Request) -> Response:
    sent = await sent_json(request)
    request.app.state.content.tokens.pop(sent["token"], None)
    return JSONResponse({"ok": True})


async def post_search_lag(request: Request) -> Response:
    """From now on the search shows the site as it was so many seconds ago."""
    sent = await sent_json(request)
    request.app.state.content.search_lag_s = float(sent["seconds"])
    return JSONResponse({"ok": True})


async def post_fill(request: Request) -> Response:
    """Many pages at once, in a tree, for benchmarks."""
    sent = await sent_json(request)
    is_new = bool(sent.get("is_new"))
    fill(request.app.state.content, sent["space"], int(sent["pages"]), is_new=is_new)
    return JSONResponse({"ok": True})


async def post_chaos(request: Request) -> Response:
    """Random faults from now on, or no more of them."""
    sent = await sent_json(request)
    request.app.state.faults.chaos(float(sent["rate"]), int(sent["seed"]), list(sent["kinds"]))
    return JSONResponse({"ok": True})


async def get_received(request: Request) -> Response:
    return JSONResponse({"received": request.app.state.received})


async def post_faults(request: Request) -> Response:
    plan: FaultPlan = request.app.state.faults
    try:
        plan.add(Fault.from_json(await sent_json(request)))
    except ValueError as error:
        raise HTTPException(400, str(error)) from None
    return JSONResponse({"ok": True})


async def post_reset(request: Request) -> Response:
    """Back to the pages as loaded, no faults, nothing received."""
    state = request.app.state
    state.content.reset()
    state.faults.clear()
    state.received.clear()
    state.subscriptions.clear()
    state.grants.clear()
    return JSONResponse({"ok": True})


def _remembered(endpoint: Endpoint) -> Endpoint:
    """What a search that lags still shows is kept before it changes."""

    async def remembered(request: Request) -> Response:
        request.app.state.content.remember()
        return await endpoint(request)

    return remembered


_POSTS: dict[str, Endpoint] = {
    "create": post_create,
    **{name: _endpoint(action) for name, action in ACTIONS.items()},
    "group": post_group,
    "space-readers": post_space_readers,
    "webhooks": post_webhooks,
    "give-token": post_give_token,
    "revoke-token": post_revoke_token,
    "search-lag": post_search_lag,
    "fill": post_fill,
    "chaos": post_chaos,
    "faults": post_faults,
    "reset": post_reset,
}

ROUTES = [
    *(Route(f"/sandbox/{name}", _remembered(do), methods=["POST"]) for name, do in _POSTS.items()),
    Route("/sandbox/received", get_received),
]
