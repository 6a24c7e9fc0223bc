"""Read the pages of a site from a folder: storage-format files with front matter, or JSON files.

A storage-format file may begin with an XML comment that holds YAML: id, title, space, kind,
subtype, parent (a title in the same space), owner, author (names), created, updated, labels,
status, version, users, groups. Without it the title is the file's name and the space the folder's.
`site.yaml` names spaces, people, and groups with their members.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zlib import crc32

import yaml

from sandbox.confluence.site.content import Content, Entry, Person, account_id

STORAGE = {".xml", ".html", ".xhtml", ".storage"}
FRONT_MATTER = re.compile(r"\A\s*<!--\s*\n(.*?)-->\s*", re.DOTALL)
PAGE_ID = re.compile(r"/pages/(\d+)")


class CannotLoad(Exception):
    """The folder holds no site; the message names the cause and the cure in one line."""


def load(folder: Path) -> Content:
    """Every page under a folder.

    Raises:
        CannotLoad: the folder is missing or empty, or a file cannot be read as a page.
    """
    if not folder.is_dir():
        raise CannotLoad(f"{folder} is not a folder: name one that holds pages with --pages DIR")
    site = _yaml(folder / "site.yaml")
    files = sorted(f for f in folder.rglob("*") if f.is_file() and f.suffix in STORAGE | {".json"})
    if not files:
        raise CannotLoad(
            f"{folder} holds no pages: "
            "put .xml, .html, .xhtml, .storage or .json files there, or leave --pages out"
        )
    entries = [_entry(_read(file, folder), file.relative_to(folder).as_posix()) for file in files]
    _refuse_same_ids(entries)
    _resolve_parents(entries)
    return Content(entries, _people(site, entries), site.get("spaces", {}), _groups(site))


def _read(file: Path, folder: Path) -> dict[str, Any]:
    """What a file says about its page, under the names of the front matter, with `body`."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CannotLoad(
            f"{file} cannot be read ({error}): save it as UTF-8, or remove it"
        ) from None
    return _from_json(text, file) if file.suffix == ".json" else _from_storage(text, file, folder)


def _from_storage(text: str, file: Path, folder: Path) -> dict[str, Any]:
    parts = file.relative_to(folder).parts
    named = {
        "title": re.sub(r"[-_]+", " ", file.stem),
        "space": parts[-2].upper() if len(parts) > 1 else "DEMO",
    }
    front = FRONT_MATTER.match(text)
    if front is None:
        return {**named, "body": text}
    return {**named, **_parsed(front[1], file), "body": text[front.end() :]}


def _from_json(text: str, file: Path) -> dict[str, Any]:
    try:
        page = json.loads(text)
    except json.JSONDecodeError as error:
        raise CannotLoad(
            f"{file} is not JSON ({error.msg}, line {error.lineno}): "
            "mend it, or remove it from the folder"
        ) from None
    known = page if isinstance(page, dict) else {}
    needed = ("title", "content", "space")
    missing = [name for name in needed if not isinstance(known.get(name), str)]
    if missing:
        raise CannotLoad(
            f"{file} is not a page, {', '.join(missing)} missing: "
            "add what is missing, or remove it from the folder"
        )
    page_id = _page_id(page, file.stem)
    known = {"id": page_id, "title": page["title"], "space": page["space"], "body": page["content"]}
    changed = _day(page.get("date"))
    return known if changed is None else known | {"updated": changed}


def _page_id(page: dict[str, Any], name: str) -> str:
    """As its address has it, or as it says where that could be one of Confluence."""
    if in_url := PAGE_ID.search(page.get("url", "")):
        return in_url[1]
    own = str(page.get("id", ""))
    return own if own.isascii() and own.isdigit() else _derived_id(own or name)


def _day(written: object) -> date | None:
    """What a file says of when its page was changed; None where that is no date."""
    try:
        return date.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        return None


def _entry(said: dict[str, Any], place: str) -> Entry:
    updated = _moment(said.get("updated", date(2025, 1, 15)))
    owner = account_id(said["owner"]) if said.get("owner") else ""
    return Entry(
        id=str(said.get("id") or _derived_id(place)),
        space=said["space"],
        title=str(said["title"]),
        body=said["body"],
        kind=said.get("kind", "page"),
        subtype=said.get("subtype", ""),
        status=said.get("status", "current"),
        parent_id=said.get("parent"),
        owner=owner,
        author=account_id(said["author"]) if said.get("author") else owner,
        labels=[str(label) for label in said.get("labels", [])],
        version=said.get("version", 1),
        created_at=_moment(said["created"]) if "created" in said else updated,
        updated_at=updated,
        users=[account_id(name) for name in said.get("users", [])],
        groups=said.get("groups", []),
    )


def _derived_id(text: str) -> str:
    return str(10_000_000_000 + crc32(text.encode()))


def _moment(value: date | datetime) -> str:
    """A date of the front matter as the API shows moments."""
    moment = value
    if not isinstance(value, datetime):
        moment = datetime(value.year, value.month, value.day, 9, tzinfo=UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _refuse_same_ids(entries: list[Entry]) -> None:
    titles: dict[str, str] = {}
    for entry in entries:
        if entry.id in titles:
            raise CannotLoad(
                f"“{titles[entry.id]}” and “{entry.title}” have the same id {entry.id}: "
                "give one of them another id"
            )
        titles[entry.id] = entry.title


def _resolve_parents(entries: list[Entry]) -> None:
    """Parents are written as titles and kept as ids."""
    ids = {(entry.space, entry.title): entry.id for entry in entries}
    for entry in entries:
        if entry.parent_id is None:
            continue
        if (entry.space, entry.parent_id) not in ids:
            raise CannotLoad(
                f"“{entry.title}” has the parent “{entry.parent_id}”, "
                f"which {entry.space} does not hold: correct `parent`"
            )
        entry.parent_id = ids[entry.space, entry.parent_id]


def _people(site: dict[str, Any], entries: list[Entry]) -> list[Person]:
    """The people of `site.yaml`; an owner who is not there is known by the account id alone."""
    people = site.get("people", {}).items()
    listed = [Person(account_id(name), name, email or "") for name, email in people]
    others: set[str] = set()
    for entry in entries:
        others.update(filter(None, (entry.owner, entry.author)))
    others.difference_update(person.account_id for person in listed)
    return [*listed, *(Person(account, account) for account in sorted(others))]


def _groups(site: dict[str, Any]) -> dict[str, list[str]]:
    """The members of each group of `site.yaml`, written as names and kept as account ids."""
    groups = site.get("groups", {}).items()
    return {group: list(map(account_id, names)) for group, names in groups}


def _yaml(file: Path) -> dict[str, Any]:
    return _parsed(file.read_text(encoding="utf-8"), file) if file.is_file() else {}


def _parsed(text: str, file: Path) -> dict[str, Any]:
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        cause = " ".join(str(error).split())
        raise CannotLoad(
            f"{file} has front matter that is not YAML ({cause}): mend it, or remove the comment"
        ) from None
    if not isinstance(values, dict):
        raise CannotLoad(
            f"{file} has front matter without names: "
            "write `title: …` and the like, or remove the comment"
        )
    return values
