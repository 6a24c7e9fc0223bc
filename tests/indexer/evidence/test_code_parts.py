"""Long code in parts: nothing of it is lost, and a part ends where something ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from storage_pages import macro, pieces

from core.models import Kind
from core.structure import CodeText
from indexer.evidence.code_parts import PART_CHARACTERS, code_parts

FUNCTION = "def lift_{0}(load):\n    if load > {0}:\n\n        return None\n    return {0}\n\n"
lines = st.one_of(
    st.sampled_from(["", "  ", "}", "    x = 1", "def f():", "\t# end  "]),
    st.integers(1, 3 * PART_CHARACTERS).map("y".__mul__),
)


def joined(parts: list[CodeText]) -> str:
    """What the parts are parts of."""
    first, *others = parts
    return first.text + "".join(each.text if each.goes_on else f"\n{each.text}" for each in others)


@given(st.lists(lines, min_size=1, max_size=60))
def test_the_parts_of_any_code_are_the_code_and_none_is_too_long(written: list[str]) -> None:
    code = "\n".join(written)
    parts = list(code_parts(CodeText(text=code)))
    assert joined(parts) == code
    assert max(len(part.text) for part in parts) <= PART_CHARACTERS


def test_a_megabyte_of_code_is_many_pieces_each_with_its_language_and_title() -> None:
    code = "".join(map(FUNCTION.format, range(13_000)))
    found = pieces(macro("code", plain=code, language="python", title="lifts.py"), Kind.CODE)
    parts = [piece.code for piece in found if piece.code]
    assert len(code) > 1_000_000
    assert joined(parts) == code.strip("\n")
    assert {(part.language, part.above) for part in parts} == {("python", "lifts.py")}
    assert all(part.text.startswith("def lift_") for part in parts)
    assert sum("return 6000\n" in f"{piece.text}\n" for piece in found) == 1
    assert len({piece.id for piece in found}) == len(found)


def test_a_part_does_not_begin_with_what_closes_the_one_before() -> None:
    block = "server {\n  listen 80;\n}\n" * 400
    for part in code_parts(CodeText(text=block)):
        assert part.text.startswith("server {")
