"""The demo's conversation with the real bot: what is no question has its reply at once."""

from __future__ import annotations

from io import StringIO

import pytest
from desk import Desk
from rich.console import Console

from core.language.sentences import sentences
from sandbox.demo.conversation import converse

SAY = sentences("en")


@pytest.mark.parametrize(
    ("typed", "replied"),
    [("thanks!", "❤️"), ("hello", SAY("hello")), ("help", SAY("ask-me"))],
)
def test_a_reaction_or_a_sentence_is_the_reply(desk: Desk, typed: str, replied: str) -> None:
    shown = StringIO()
    console = Console(file=shown, width=200)
    converse(desk.workspace, [typed], explain=False, patience_s=1, console=console)
    assert replied in shown.getvalue()
    assert desk.turns(desk.workspace.messages("general")[-1]) == []
