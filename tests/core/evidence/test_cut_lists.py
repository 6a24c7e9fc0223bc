"""A long list that is indexed in parts is found again, and joined, as the page has it."""

from __future__ import annotations

import pytest
from wiki import page

from core.evidence.cut_lists import announces_list, joined, parts_of_list
from core.models import Evidence, Kind
from indexer.evidence.build import evidence
from indexer.parse import parse

WORDS = "with the grease that lies in the red box beside the door of the workshop on the quay"


def pieces(body: str) -> list[Evidence]:
    return [each for each in evidence(page(), parse(body)) if each.kind is not Kind.ROW]


def steps(tag: str, *texts: str) -> str:
    return f"<{tag}>{''.join(f'<li>{text}</li>' for text in texts)}</{tag}>"


def lines(parts: list[Evidence]) -> list[str]:
    return [item.line for item in joined(parts)]


@pytest.mark.parametrize("tag", ["ol", "ul"])
def test_all_parts_are_found_from_any_of_them(tag: str) -> None:
    body = "<p>To grease the winch:</p>" + steps(tag, *(f"Grease {n} {WORDS}" for n in range(12)))
    found = pieces(body)
    assert len(found) > 2
    for part in found:
        assert parts_of_list(part, reversed(found)) == found
    said = lines(found)
    assert said[0] == "To grease the winch:"
    assert [line.split(" with")[0].split("Grease ")[1] for line in said[1:]] == [
        str(n) for n in range(12)
    ]


def test_a_parent_that_its_parts_repeat_is_said_once() -> None:
    children = steps("ul", *(f"Part {n} {WORDS}" for n in range(8)))
    found = pieces(steps("ol", f"Grease all parts of the winch {WORDS} {WORDS}{children}", "Wait"))
    said = lines(parts_of_list(found[0], found))
    assert len([line for line in said if line.startswith("1. ")]) == 1
    assert [line.split()[2] for line in said if "Part" in line] == [str(n) for n in range(8)]
    assert said[-1] == "2. Wait"


def test_an_item_that_another_one_begins_with_is_none_that_is_repeated() -> None:
    many = [f"Test the winch number {n} {WORDS}" for n in range(8)]
    found = pieces(steps("ul", *many[:4], "Test", *many[4:], "Test the winch number 0"))
    assert len(found) > 1
    said = lines(found)
    assert said.count("- Test") == 1
    assert len(said) == 10


def test_two_lists_stay_two() -> None:
    many = [f"Grease {n} {WORDS}" for n in range(4)]
    found = pieces(steps("ol", *many) + steps("ol", *many))
    assert parts_of_list(found[0], found) != found
    found = pieces(steps("ul", *many) + "<p>The mast:</p>" + steps("ul", *many))
    assert not any("mast" in line for line in lines(parts_of_list(found[0], found)))


def test_a_missing_part_ends_what_is_joined() -> None:
    found = pieces(steps("ol", *(f"Grease {n} {WORDS}" for n in range(12))))
    assert parts_of_list(found[0], [found[0], found[2]]) == [found[0]]


def test_a_passage_may_announce_a_list() -> None:
    body = f"<p>The winch squeaks {WORDS}.</p><p>Then:</p>" + steps("ol", "Stop", "Grease it")
    assert announces_list(pieces(body)[0])
    assert not announces_list(pieces(body.replace("Then:", "Then call."))[0])
