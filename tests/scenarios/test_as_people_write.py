"""Questions as people write them, with real processes over both transports.

In two messages, by a mention alone, with a file, beside a channel, by a command of which Slack
tells less than it did.
"""

from __future__ import annotations

from core.language.sentences import sentences
from sandbox.slack.client import Message
from scenarios.conftest import Running, is_final

SAY = sentences("en")

QUESTION = "How much may a hotel in Porto cost per night?"


def said_to(running: Running, message: Message) -> str:
    return running.reply(message).plain()


def test_a_direct_message_in_two_parts_is_understood_as_one(either_way: Running) -> None:
    """Whether the first part is answered before the second comes or not."""
    workspace = either_way.workspace
    workspace.direct("Ben", "how much may a hotel cost per night?")
    assert "110 EUR" in said_to(either_way, workspace.direct("Ben", "in Porto"))


def test_a_mention_alone_means_what_stands_above_it(either_way: Running) -> None:
    above = either_way.workspace.say("Alice", "general", QUESTION)
    mention = either_way.workspace.say("Ben", "general", "@groundwire", thread_ts=above.ts)
    assert "110 EUR" in said_to(either_way, mention)


def test_of_a_file_it_is_said_that_nobody_reads_it(either_way: Running) -> None:
    asked = either_way.workspace.say(
        "Alice", "general", f"@groundwire {QUESTION}", files=["bill.pdf"]
    )
    answer = said_to(either_way, asked)
    assert "110 EUR" in answer
    assert SAY("files-not-read") in answer


def test_a_command_without_the_name_of_its_channel_is_answered_in_private(
    either_way: Running,
) -> None:
    workspace = either_way.workspace
    said = workspace.command("Dev", "general", f"/groundwire {QUESTION}", without=["channel_name"])
    assert said["text"] == SAY("asked-in-private")
    channel = workspace.open_direct("Dev")
    workspace.wait_until(
        lambda: any(
            is_final(each) and "110 EUR" in each.plain()
            for each in workspace.messages(channel)
            if each.bot
        ),
        what="the answer among the direct messages",
    )
