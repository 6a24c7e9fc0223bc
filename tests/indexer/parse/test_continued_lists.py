"""Steps that go on behind code or a note: the editor ends the list there and begins another."""

from __future__ import annotations

import pytest
from storage_pages import macro, pieces

CODE = macro("code", plain="make all")
NOTE = macro("note", "<p>Mind the gap.</p>")
FIRST = "<h2>Build</h2><ol><li>fetch</li><li>build</li></ol>"


def listed(storage: str) -> list[list[str]]:
    """The lines of each list of a page."""
    return [[item.line for item in piece.items] for piece in pieces(storage) if piece.items]


@pytest.mark.parametrize(
    ("between", "second"),
    [
        (CODE, ["2. build", "`make all`"]),
        (macro("code", plain="a[1]", title="x.py"), ["2. build", "x.py", "`a[1]`"]),
        (NOTE, ["2. build", "Note: Mind the gap."]),
        ("<p>This takes an hour.</p>" + CODE, ["2. build", "This takes an hour.", "`make all`"]),
        ("", ["2. build"]),
    ],
)
def test_a_list_that_goes_on_is_one_list_with_what_stands_between(
    between: str, second: list[str]
) -> None:
    (only,) = listed(FIRST + between + '<ol start="3"><li>deploy</li></ol>')
    assert [line.strip() for line in "\n".join(only).splitlines()] == [
        "1. fetch",
        *second,
        "3. deploy",
    ]


@pytest.mark.parametrize(("tag", "mark"), [("ul", "-"), ("ol", "1.")])
def test_what_stands_between_is_behind_the_list_of_an_item(tag: str, mark: str) -> None:
    nested = f"<ol><li>fetch<{tag}><li>from main</li></{tag}></li></ol>"
    (only,) = listed(nested + CODE + '<ol start="2"><li>build</li></ol>')
    assert len(only) == 3, "the code is no item"
    said = [line.strip() for line in "\n".join(only).splitlines()]
    assert said == ["1. fetch", f"{mark} from main", "`make all`", "2. build"]


def test_in_one_panel_its_name_is_not_said_again() -> None:
    (only,) = listed(
        macro("note", "<ol><li>fetch</li></ol>" + CODE + '<ol start="2"><li>b</li></ol>')
    )
    assert "\n".join(only).count("Note") == 1


@pytest.mark.parametrize(
    "rest",
    [
        CODE + "<ol><li>deploy</li></ol>",  # begins anew
        CODE + '<ol start="7"><li>deploy</li></ol>',  # goes on with another
        '<h2>Deploy</h2><ol start="3"><li>deploy</li></ol>',
        macro("warning", '<ol start="3"><li>deploy</li></ol>'),  # that is warned of alone
        macro("code", plain="x" * 700) + '<ol start="3"><li>deploy</li></ol>',
        "<p>" + "word " * 90 + '</p><ol start="3"><li>deploy</li></ol>',
        '<table><tr><td>x</td><td>y</td></tr></table><ol start="3"><li>deploy</li></ol>',
        '<ul><li>aside</li></ul><ol start="3"><li>deploy</li></ol>',
    ],
)
def test_what_need_not_be_its_continuation_stays_apart(rest: str) -> None:
    first, *others = listed(FIRST + rest)
    assert [first[0], first[1]] == ["1. fetch", "2. build"]
    assert others[-1][-1].endswith("deploy")


def test_a_list_begins_with_its_own_number() -> None:
    long = "".join(f"<li>{n} {'word ' * 30}</li>" for n in range(4))
    parts = listed(f'<ol start="5">{long}</ol>')
    marks = [line.split()[0] for part in parts for line in part]
    assert len(parts) > 1
    assert marks == ["5.", "6.", "7.", "8."]


@pytest.mark.parametrize("start", ["0", "-3", "iv", "", "123456789"])
def test_a_number_that_is_none_is_one(start: str) -> None:
    assert listed(f'<ol start="{start}"><li>fetch</li></ol>') == [["1. fetch"]]


def test_dots_have_no_number() -> None:
    assert listed('<ul start="3"><li>fetch</li></ul>') == [["- fetch"]]
