"""A site with a witness, and its pages as of a sync before things changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wiki_site import datacenter, settings

from core.access.policy import Policy
from core.models import Page
from core.page_source import PageSource, Path, Space
from core.policy.acl import Clauses
from core.settings import Settings
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import EVERYBODY, Content, Entry, Person, space_id

WITNESS, INES = "sandbox:witness", "sandbox:ines"
TOKEN = "of-the-witness"
HOME, LEAVE, SALARY, BANDS, FOLDER, NOTES, NEWS = "1", "2", "3", "4", "5", "6", "7"
OPS, OPS_PAGE, STAFF, TOP = "20", "21", "8", "9"
PEOPLE = {
    WITNESS: Person(WITNESS, "Wit", "wit@example.com"),
    INES: Person(INES, "Ines", "ines@example.com"),
}


def content() -> Content:
    """DOC: Home > Leave, Salary (Ines) > Bands, a folder > Notes, Staff (staff); Top; a post.

    OPS: two pages, one under the other.
    """
    entries = [
        Entry(HOME, "DOC", "Home"),
        Entry(LEAVE, "DOC", "Leave", parent_id=HOME),
        Entry(SALARY, "DOC", "Salary", parent_id=HOME, users=[INES]),
        Entry(BANDS, "DOC", "Bands", parent_id=SALARY),
        Entry(FOLDER, "DOC", "Folder", kind="folder", parent_id=HOME),
        Entry(NOTES, "DOC", "Notes", parent_id=FOLDER),
        Entry(NEWS, "DOC", "News", kind="blogpost"),
        Entry(STAFF, "DOC", "Staff", parent_id=HOME, groups=["staff"]),
        Entry(TOP, "DOC", "Top"),
        Entry(OPS, "OPS", "On call"),
        Entry(OPS_PAGE, "OPS", "Ben is on call", parent_id=OPS),
    ]
    return Content(entries, list(PEOPLE.values()), {}, {"staff": [WITNESS]})


def reset(site: Site) -> None:
    site.reset()
    site.give_token(WITNESS, TOKEN)


def chosen(flavor: str, url: str) -> Settings:
    if flavor == "datacenter":
        return datacenter(url, confluence_witness_token=TOKEN)
    email = PEOPLE[WITNESS].email
    return settings(url, confluence_witness_username=email, confluence_witness_token=TOKEN)


def synced(content: Content, ids: Iterable[str]) -> list[Page]:
    """These pages as a sync would save them now."""
    pages: list[Page] = []
    for page_id in ids:
        entry = content.entries[page_id]
        page = Page(
            id=page_id,
            kind=entry.kind,
            space=entry.space,
            title=entry.title,
            url="",
            parent_id=entry.parent_id,
            above=tuple(above.id for above in content.ancestors(entry)),
        )
        pages.append(page)
    return pages


def principal(flavor: str, person: Person) -> str:
    return f"user:{person.account_id if flavor == 'cloud' else person.key}"


def group(flavor: str, name: str) -> str:
    return f"group:{space_id(name) if flavor == 'cloud' else name}"


def may_by_path(
    flavor: str, content: Content, source: PageSource
) -> Callable[[str, Path | None], bool]:
    """Whether an account passes the clauses of a path, as the authorizer and the search decide."""
    policy = Policy(
        aware=True, everybody=frozenset({group(flavor, EVERYBODY)}), folders_are_open=True
    )
    of_spaces: dict[Space, Clauses] = {}

    def may(account: str, path: Path | None) -> bool:
        if path is None:
            return False
        if path.space not in of_spaces:
            of_spaces[path.space] = policy.clause(source.space_readers(path.space))
        clauses = policy.clauses(path, of_spaces[path.space])
        mine = principals(flavor, content, account)
        return clauses is not None and not any(mine.isdisjoint(clause) for clause in clauses)

    return may


def principals(flavor: str, content: Content, account: str) -> set[str]:
    """Somebody's own, and those of their groups."""
    names = [name for name in content.group_names() if account in content.members(name)]
    return {principal(flavor, content.people[account]), *(group(flavor, each) for each in names)}
