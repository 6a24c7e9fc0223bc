"""A text that grows in Slack is the beginning of the text that will stand there."""

from __future__ import annotations

import pytest

from core.markdown.growing import neutral_so_far
from core.markdown.writing import neutral

ANSWERS = [
    "**Hotels** in Porto cost up to *110 EUR* [1][2]. See [the page](https://evil.example/z).\n\n"
    "1. Open `settings.json`\n2. Add the following:\n\n"
    '   ```json\n   {"a": [1], "b": `x`}\n   ```\n3. Restart\n\n'
    "- one\n- two\n  - nested __init__ and snake_case\n",
    "| Team | Lead |\n|------|-----:|\n| Vision | Priya [3] |\n| Ops | Ben |\n\n"
    "Ask @alice or <b>me</b> at 5 * 3 & more; &lt;x&gt;. Done [4].",
    'Run:\n\n```sh\ngrep -E "[0-9](a|b)" <x> @channel\n```\nThen 2. again [1].\n\n'
    "> quoted **text**\n> more\n\n### Heading\nText with `code` and ``a`b``. End.",
    "The rate is 5% *per year*, i.e. ~3 days.\n* item *a*\n* item **b**\n\nNote: a|b.",
    "Ask <!channel>, <@U0ALICE>, @here or <https://evil.example|us> now.",
    "Ben is on call [1] since a < b, [2].",
]


@pytest.mark.parametrize("text", ANSWERS)
def test_what_was_shown_is_the_beginning_of_what_the_whole_text_shows(text: str) -> None:
    whole = neutral(text)
    for end in range(len(text) + 1):
        assert whole.startswith(neutral_so_far(text[:end])), text[:end]


@pytest.mark.parametrize("text", ANSWERS)
def test_little_is_held_back(text: str) -> None:
    held = [end - len(neutral_so_far(text[:end])) for end in range(len(text) + 1)]
    assert sum(held) / len(held) < 12
