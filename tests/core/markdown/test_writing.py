"""Text of pages and models says in Slack what it says, calls nobody and links to nothing.

The judge is a reader of CommonMark that knows more than ours: HTML, reference links, underlines.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_judge import code_of, is_harmless

from core.markdown.reading import code_ranges
from core.markdown.writing import neutral

BITES = [
    "[reset](https://evil.example)",
    "[reset](<javascript:alert(1)>)",
    "[reset][r]\n\n[r]: https://evil.example",
    "[reset][r]\n\n[r]: &#104;ttps://evil.example",
    "[r]\n\n[R]:\n  https://evil.example 'why'",
    "[a [nested](https://evil.example) b](https://evil.example)",
    "![picture](https://evil.example/x.png)",
    "[![picture](https://a.example)](https://evil.example)",
    "<https://evil.example>",
    "<HTTPS://evil.example|us>",
    "<mail@evil.example>",
    "<mailto:mail@evil.example|us>",
    "<slack://open?team=T1>",
    "<a href='https://evil.example'>us</a>",
    "<img src=x>\n\n<script>x</script>",
    "<!-- a comment -->",
    "<!channel>",
    "<!here|x>",
    "<!subteam^S1>",
    "<!date^1^{date}|x>",
    "<@U0ALICE>",
    "<#C1|general>",
    "&lt;!channel&gt;",
    "&#60;!everyone&#62;",
    "\\<!channel>",
    "<*!channel*>",
    "@here and @channel",
    "**@everyone**",
    "\\[us](https://evil.example)",
    "[us\\](https://evil.example)",
    "[us]\\(https://evil.example)",
    "[us](https://evil.example\\)",
    "`[us`](https://evil.example)",
    "[`us](https://evil.example)`](https://evil.example)",
    "> [us]\n\n> [us]: https://evil.example",
    "- [us]: https://evil.example\n\n[us]",
    "# [us](https://evil.example)",
    "| [us](https://evil.example) | <!channel> |\n|---|---|\n| @here | <b>x</b> |",
    "[us](https://evil.example)\n===",
    "us\n[us]: https://evil.example\n\n[us]",
    "[1]: //evil.example\n\nsee [1]",
    "[1]\n\n [1]: <//evil.example>",
    "text [us]: https://evil.example\n[us]",
    "[us][]\n\n[us]: https://evil.example",
    "[us](<data:x>)b\n[b]: //evil.example\n\n[b][us](<data:x>)b\n[b]: //a.example\n\n[b]",
    "``[`us](https://evil.example)`](x)``[`us](https://evil.example)`](https://evil.example)",
    "<a_<https://evil.example>",
]


@pytest.mark.parametrize("bite", BITES)
@pytest.mark.parametrize("around", ["{}", "Yes [1]. {} no", "- a\n\n  {}", "> {}", "1. {}\n2. x"])
def test_nobody_is_called_and_nothing_is_linked(bite: str, around: str) -> None:
    shown = neutral(around.format(bite))
    assert is_harmless(shown), shown


def test_the_judge_sees_what_bites() -> None:
    assert sum(not is_harmless(bite) for bite in BITES) > len(BITES) * 2 // 3


MARKS = [*"`*_[]()<>&!|\\#-+", "``", "```", "~~~", "**", "~~", "1."]
STARTS = ["\n", "\n\n", "\t", "    ", "\n> ", "\n- ", "\n1. "]
WORDS = ["https://evil.example", "[1]", "a", "b c"]
PIECES = st.one_of(
    st.sampled_from(BITES),
    st.sampled_from(MARKS + STARTS + WORDS),
    st.text("ab`*_[]()<>&!|\\#-~:@ \n", max_size=8),
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)


@given(TEXTS)
@settings(max_examples=1500, deadline=None)
def test_no_text_calls_anybody_or_links_anywhere(text: str) -> None:
    assert is_harmless(neutral(text))


@given(TEXTS)
@settings(max_examples=500, deadline=None)
def test_what_is_neutral_stays_as_it_is_shown(text: str) -> None:
    once = neutral(text)
    assert code_of(neutral(once)) == code_of(once)


CODE = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\0", exclude_categories=["Cs"]),
    min_size=1,
    max_size=60,
)
HARD = st.sampled_from(
    [
        'grep -E "[0-9](a|b)" <x> | tee [2]',
        "@channel <!here> [x](y) ``` `a` ~~~",
        "std::vector<std::string> a[1](b);",
        "  indented\n\n\n    more \n",
        "&lt;b&gt; \\n \\` $HOME",
        "- no list\n# no heading\n| no | table |\n[1]: no",
    ]
)


@given(st.one_of(CODE, HARD), st.sampled_from(["{}", "text\n\n{}\n\ntext", "- a\n\n{}"]))
@settings(max_examples=1000, deadline=None)
def test_code_in_a_fence_is_shown_byte_for_byte(code: str, around: str) -> None:
    fence = "`" * (max(map(len, re.findall("`+", code)), default=0) + 3)
    markdown = around.format(f"{fence}\n{code}\n{fence}")
    (shown,) = code_of(neutral(markdown))
    assert shown == code.rstrip("\n")


@given(st.one_of(CODE, HARD))
@settings(max_examples=1000, deadline=None)
def test_code_within_a_line_is_shown_byte_for_byte(code: str) -> None:
    markdown = f"run ` {code.strip().replace('`', '')} ` now"
    assert code_of(neutral(markdown)) == code_of(markdown)


@pytest.mark.parametrize(
    "text",
    [
        "**Hotels** in Porto cost _up to_ 110 EUR [1][2].",
        "1. one\n2. two\n   - a\n   - b\n3. three",
        "- a\n- b\n\n  more of b",
        "| Team | Lead |\n| --- | --: |\n| Vision | Priya [1] |",
        "```python\nprint(a[1])\n```",
        "> quoted\n>\n> twice",
        "# Heading\n\nText with `code`, snake_case and __init__, 5 * 3 < 20 & more.",
        "See https://wiki.example/a_b?c=d for more.",
        "List of std::vector, mail@channel.example, a [note], [2] [3]",
    ],
)
def test_what_harms_nobody_stays_as_it_is(text: str) -> None:
    assert neutral(text) == text


@pytest.mark.parametrize(
    ("markdown", "ranges"),
    [
        ("no code [1]", []),
        ("`a[1]` [2]", ["`a[1]`"]),
        ("``a ` [1]`` [2]", ["``a ` [1]``"]),
        ("~~~\na[1]\n~~~\n[2]", ["~~~\na[1]\n~~~\n"]),
        ("````\n```\na[1]\n```\n````\n[2]", ["````\n```\na[1]\n```\n````\n"]),
        ("\\`a[1]\\` [2]", []),
        ("text\n\n    a[1]\n\n[2]", ["    a[1]\n"]),
        ("```\nnever closed [1]", ["```\nnever closed [1]"]),
    ],
)
def test_code_is_found_as_a_reader_finds_it(markdown: str, ranges: list[str]) -> None:
    assert [markdown[first:last] for first, last in code_ranges(markdown)] == ranges
