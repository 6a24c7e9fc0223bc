"""What the site says right now of who may read, whatever the last sync saw; both flavors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from accounts_site import (
    BANDS,
    FOLDER,
    HOME,
    INES,
    LEAVE,
    NEWS,
    NOTES,
    OPS,
    OPS_PAGE,
    PEOPLE,
    SALARY,
    STAFF,
    TOP,
    WITNESS,
    chosen,
    content,
    group,
    may_by_path,
    principal,
    reset,
    synced,
)

from core.confluence import connect_live, witness
from core.models import Page
from core.page_source import Level, PageSource, Path, Viewer
from core.pages import PageKind
from sandbox.confluence.app import build_app
from sandbox.confluence.client import Site
from sandbox.confluence.site.content import EVERYBODY, Content
from sandbox.http.server import running

ALL = [HOME, LEAVE, SALARY, BANDS, NOTES, NEWS, STAFF, TOP, OPS, OPS_PAGE]


@pytest.fixture(scope="module")
def wiki() -> Content:
    return content()


@pytest.fixture(scope="module")
def served(wiki: Content) -> Iterator[tuple[str, Site]]:
    with running(build_app(wiki)) as url, Site(url) as site:
        yield url, site


@pytest.fixture
def site(served: tuple[str, Site]) -> Site:
    reset(served[1])
    return served[1]


@pytest.fixture(params=["cloud", "datacenter"])
def flavor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def source(flavor: str, served: tuple[str, Site], site: Site) -> PageSource:
    assert site is served[1]
    return connect_live(chosen(flavor, served[0]))


@pytest.fixture
def eyes(flavor: str, served: tuple[str, Site], site: Site) -> Viewer:
    assert site is served[1]
    found = witness(chosen(flavor, served[0]))
    assert found is not None
    return found


def received(site: Site, ask: Callable[[], object]) -> int:
    """How many requests the site got by that."""
    before = len(site.received())
    ask()
    return len(site.received()) - before


def _to_a_closed_space(site: Site) -> None:
    site.space_readers("OPS", users=[INES])
    site.move(LEAVE, parent_id=OPS_PAGE)


Change = Callable[[Site], object]
CLOSED: dict[str, tuple[str, Change]] = {
    "the page is restricted": (LEAVE, lambda site: site.restrict(LEAVE, users=[INES])),
    "what is above is restricted": (LEAVE, lambda site: site.restrict(HOME, users=[INES])),
    "it was moved under a restricted page": (
        LEAVE,
        lambda site: site.move(LEAVE, parent_id=SALARY),
    ),
    "what is above was moved under a restricted page": (
        OPS_PAGE,
        lambda site: site.move(OPS, parent_id=BANDS),
    ),
    "it was moved to a space for others": (
        LEAVE,
        _to_a_closed_space,
    ),
    "the account left the group": (STAFF, lambda site: site.members("staff", [INES])),
    "the space is for others now": (TOP, lambda site: site.space_readers("DOC", users=[INES])),
    "it was archived": (LEAVE, lambda site: site.archive(LEAVE)),
    "it is in the trash": (LEAVE, lambda site: site.trash(LEAVE)),
    "it is gone": (LEAVE, lambda site: site.purge(LEAVE)),
    "a restricted blog post": (NEWS, lambda site: site.restrict(NEWS, users=[INES])),
    "a restricted folder": (NOTES, lambda site: site.restrict(FOLDER, users=[INES])),
}


@pytest.mark.parametrize("name", CLOSED)
def test_what_was_closed_a_moment_ago_is_closed_to_every_verb(
    flavor: str,
    site: Site,
    wiki: Content,
    source: PageSource,
    eyes: Viewer,
    name: str,
) -> None:
    page_id, close = CLOSED[name]
    (page,) = pages = synced(wiki, [page_id])
    account = principal(flavor, PEOPLE[WITNESS])

    def said() -> list[bool]:
        may = may_by_path(flavor, wiki, source)
        return [
            eyes.visible(pages, most=12)[page_id],
            source.visible_to(account, [page], most=12)[page_id],
            may(WITNESS, source.paths(pages, most=12)[page_id]),
        ]

    assert said() == [True, True, True]
    close(site)
    assert said() == [False, False, False]


def test_what_was_opened_a_moment_ago_is_open(
    flavor: str, site: Site, wiki: Content, source: PageSource, eyes: Viewer
) -> None:
    pages = synced(wiki, [BANDS])
    assert eyes.visible(pages, most=12) == {BANDS: False}
    site.move(BANDS, parent_id=HOME)
    assert eyes.visible(pages, most=12) == {BANDS: True}
    path = source.paths(pages, most=12)[BANDS]
    assert may_by_path(flavor, wiki, source)(WITNESS, path)
    assert path is not None
    assert [level.id for level in path.levels] == [HOME, BANDS]


def test_a_page_that_the_indexers_account_may_not_see_has_no_path_and_is_nobodys(
    flavor: str, site: Site, wiki: Content, source: PageSource
) -> None:
    site.blind(HOME)
    pages = synced(wiki, [LEAVE, TOP])
    assert source.paths(pages, most=12)[LEAVE] is None
    account = principal(flavor, PEOPLE[INES])
    assert source.visible_to(account, pages, most=12) == {LEAVE: False, TOP: True}


def test_a_path_tells_each_level_with_its_readers_outermost_first(
    flavor: str, site: Site, wiki: Content, source: PageSource
) -> None:
    site.restrict(BANDS, groups=[EVERYBODY])
    (path,) = source.paths(synced(wiki, [BANDS]), most=12).values()
    (space,) = source.spaces(("DOC",))
    ines = principal(flavor, PEOPLE[INES])
    levels = (
        Level(HOME, PageKind.PAGE, frozenset()),
        Level(SALARY, PageKind.PAGE, frozenset({ines})),
        Level(BANDS, PageKind.PAGE, frozenset({group(flavor, EVERYBODY)})),
    )
    assert path is not None
    assert (path.space.id, path.space.key) == (space.id, "DOC")
    assert path.levels == levels


def test_a_page_restricted_to_everybody_is_open_to_everybody(
    flavor: str, site: Site, wiki: Content, source: PageSource, eyes: Viewer
) -> None:
    site.restrict(LEAVE, groups=[EVERYBODY])
    pages = synced(wiki, [LEAVE])
    path = source.paths(pages, most=12)[LEAVE]
    assert may_by_path(flavor, wiki, source)(WITNESS, path)
    assert eyes.visible(pages, most=12) == {LEAVE: True}


def test_a_folder_is_a_level_of_its_kind(wiki: Content, source: PageSource) -> None:
    path = source.paths(synced(wiki, [NOTES]), most=12)[NOTES]
    assert path is not None
    kinds = [(level.id, level.kind) for level in path.levels]
    assert kinds == [(HOME, PageKind.PAGE), (FOLDER, PageKind.FOLDER), (NOTES, PageKind.PAGE)]


def test_a_moved_page_is_found_where_it_stands_now(
    site: Site, wiki: Content, source: PageSource
) -> None:
    (page,) = synced(wiki, [LEAVE])
    site.move(LEAVE, parent_id=OPS_PAGE)
    path = source.paths([page], most=12)[LEAVE]
    assert path is not None
    assert path.space.key == "OPS"
    assert [level.id for level in path.levels] == [OPS, OPS_PAGE, LEAVE]


def test_what_was_never_synced_above_a_page_is_found_all_the_same(
    wiki: Content, source: PageSource
) -> None:
    """From a version that did not save what stands above a page."""
    pages = [Page(id=BANDS, space="DOC", title="", url="")]
    path = source.paths(pages, most=12)[BANDS]
    assert path is not None
    assert [level.id for level in path.levels] == [HOME, SALARY, BANDS]
    assert wiki.entries[BANDS].parent_id == SALARY


def test_the_search_index_is_not_believed(
    flavor: str, site: Site, wiki: Content, source: PageSource, eyes: Viewer
) -> None:
    site.search_lag(600)
    site.restrict(LEAVE, users=[INES])
    pages = synced(wiki, [LEAVE])
    assert eyes.visible(pages, most=12) == {LEAVE: False}
    path = source.paths(pages, most=12)[LEAVE]
    assert not may_by_path(flavor, wiki, source)(WITNESS, path)
    assert not any("search" in each["path"] for each in site.received())


def test_a_witness_is_asked_once_on_cloud_and_once_a_page_on_data_center(
    flavor: str, site: Site, wiki: Content, eyes: Viewer
) -> None:
    pages = [page for page in synced(wiki, ALL) if page.id != NEWS]
    asked = received(site, lambda: eyes.visible(pages, most=12))
    assert asked == (1 if flavor == "cloud" else len(pages))
    with_post = synced(wiki, [LEAVE, NEWS])
    assert received(site, lambda: eyes.visible(with_post, most=12)) == 2
    assert received(site, lambda: eyes.visible([], most=12)) == 0


def test_paths_take_one_request_a_page_on_data_center_and_one_a_restriction_on_cloud(
    flavor: str, site: Site, wiki: Content, source: PageSource
) -> None:
    pages = synced(wiki, [LEAVE, BANDS, SALARY])
    restrictions = len({HOME, LEAVE, SALARY, BANDS})
    expected = 1 + 1 + restrictions if flavor == "cloud" else 3
    assert received(site, lambda: source.paths(pages, most=12)) == expected
    again = received(site, lambda: source.paths(pages, most=12))
    assert again == (1 + restrictions if flavor == "cloud" else 3)  # the space is known


def test_more_than_250_pages_are_asked_for_in_batches_on_cloud(
    served: tuple[str, Site], site: Site, wiki: Content
) -> None:
    eyes = witness(chosen("cloud", served[0]))
    assert eyes is not None
    site.fill("OPS", 300)
    ids = [entry.id for entry in wiki.of_kind("page") if entry.space == "OPS"]
    pages = synced(wiki, ids)
    assert received(site, lambda: eyes.visible(pages, most=12)) == 2
    assert eyes.visible(pages, most=12) == dict.fromkeys(ids, True)
    first = eyes.visible(pages, most=1)
    assert list(first) == ids[:250]


@pytest.mark.parametrize("most", range(13))
def test_so_many_requests_are_sent_at_most_and_what_is_told_is_the_truth(
    flavor: str,
    site: Site,
    wiki: Content,
    source: PageSource,
    eyes: Viewer,
    most: int,
) -> None:
    pages = synced(wiki, [BANDS, LEAVE, NEWS, OPS_PAGE, NOTES, TOP])
    account = principal(flavor, PEOPLE[WITNESS])
    verbs: list[Callable[[int], dict[str, object]]] = [
        lambda most: dict(eyes.visible(pages, most=most)),
        lambda most: dict(source.visible_to(account, pages, most=most)),
        lambda most: dict(source.paths(pages, most=most)),
    ]
    for ask in verbs:
        before = len(site.received())
        told = ask(most)
        assert len(site.received()) - before <= most
        assert told.items() <= ask(99).items()


def test_the_first_pages_are_told_first_and_a_later_one_that_still_fits(
    flavor: str, served: tuple[str, Site], wiki: Content
) -> None:
    reset(served[1])
    pages, all_three = synced(wiki, [LEAVE, BANDS, TOP]), [LEAVE, BANDS, TOP]

    def told(most: int) -> list[str]:
        return list(connect_live(chosen(flavor, served[0])).paths(pages, most=most))

    if flavor == "cloud":  # the pages, the space, then Home and Leave; Salary and Bands; Top
        assert [told(most) for most in (3, 4, 5, 7)] == [[TOP], [LEAVE], [LEAVE, TOP], all_three]
    else:
        assert [told(most) for most in (0, 1, 2, 3)] == [[], [LEAVE], all_three[:2], all_three]


def test_every_path_of_the_site_leads_to_its_page(wiki: Content, source: PageSource) -> None:
    paths = source.paths(synced(wiki, ALL), most=99)
    assert list(paths) == ALL
    for page_id, path in paths.items():
        assert isinstance(path, Path)
        above = [each.id for each in wiki.ancestors(wiki.entries[page_id])]
        assert [level.id for level in path.levels] == [*above, page_id]
