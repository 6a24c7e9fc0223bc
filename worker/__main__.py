"""`python -m worker`: the pipeline in a terminal, in this process, on the index that is there."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import typer
from rich.console import Console

from core import logs
from core.attribution import Method
from core.policy import audit
from core.policy.audit import Act
from core.settings import or_exit, settings
from core.storage import clock
from core.storage.database import Database, open_database
from core.turns import erasure
from core.turns.trace import saved as turn_trace
from worker.cli import audit_export, feedback_export, keys, trace_view, turns_export

app = typer.Typer(
    help="Asks and explains without Slack.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(feedback_export.app, name="feedback")
app.add_typer(turns_export.app, name="turns")
app.add_typer(keys.app, name="keys")
app.command("audit")(audit_export.export)

AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.command()
def ask(
    questions: Annotated[
        list[str], typer.Argument(help="Questions of one conversation, in order.")
    ],
    explain: Annotated[bool, typer.Option(help="Explain the last answer.")] = False,
    who: Annotated[
        str,
        typer.Option(
            "--as",
            help="E-mail of the person who asks in private; without it, what everybody may read.",
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Answer questions and show their sources."""
    from worker import in_terminal  # noqa: PLC0415  (takes seconds, which the others do without)

    in_terminal.ask(questions, who, explained=explain, as_json=as_json)


@app.command()
def pool(
    which: Annotated[Literal["answer", "explain"], typer.Argument(help="What it does.")],
) -> None:
    """Answer questions, or explain answers, until stopped."""
    with or_exit():
        from worker.pools import run  # noqa: PLC0415  (takes seconds, which the others do without)

        run.run(run.Queue(which))


@app.command("exam")
def take_exam(
    model: Annotated[str, typer.Option(help="One of LLM_MODELS; by default LLM_MODEL.")] = "",
    at_once: Annotated[int, typer.Option(min=1, help="Calls at the same time.")] = 4,
) -> None:
    """Have a model read 200 answers, right and wrong: may it check its own?

    One that passes reads each of its answers again, and may answer what the gate would refuse. It
    takes 200 calls of some 1,300 tokens each.
    """
    from worker.cli import exam  # noqa: PLC0415  (takes seconds, which the others do without)

    exam.exam(model, at_once)


@app.command("explain")
def explain_turn(
    turn: Annotated[str, typer.Argument(help="The id of a saved turn.")],
    method: Annotated[Method | None, typer.Option(help="Another one than EXPLAIN_METHOD.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain the answer of a saved turn; the result is printed, not saved."""
    from worker import in_terminal  # noqa: PLC0415  (takes seconds, which the others do without)

    in_terminal.explain(turn, method, as_json=as_json)


@app.command()
def trace(
    turn: Annotated[str, typer.Argument(help="The id of a saved turn.")],
    with_prompt: Annotated[bool, typer.Option("--prompt", help="With the prompt.")] = False,
    as_json: AsJson = False,
) -> None:
    """Tell a saved turn step by step: which module made what of what, in how many seconds."""
    database = _database()
    saved = turn_trace.load(database, turn)
    if saved is None or saved.turn.is_forgotten:
        typer.echo(f"groundwire: {turn_trace.nothing_to_tell(turn, saved)}", err=True)
        raise typer.Exit(1)
    details = {"what": "trace", "prompt": with_prompt}
    audit.by_operator(database, Act.LOOKED_INTO, subject=turn, details=details)
    now = clock.now()
    if as_json:
        value = turn_trace.as_json(saved, now, with_prompt=with_prompt)
        typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
        return
    summary = turn_trace.summary(saved.turn, now)
    trace_view.show(Console(), summary, turn_trace.steps(saved, with_prompt=with_prompt))


@app.command()
def forget(
    team: Annotated[str, typer.Argument(help="The workspace's id in Slack, T….")],
    user: Annotated[str, typer.Argument(help="The person's id in Slack, U….")],
) -> None:
    """Erase all that a person has asked, with what came of it, and the person's votes.

    The bot then deletes its messages.
    """
    database = _database()
    forgotten = erasure.forget_person(database, team, user)
    audit.by_operator(database, Act.PERSON_FORGOTTEN, team=team, subject=user)
    typer.echo(
        f"{len(forgotten.turns)} questions forgotten; {len(forgotten.mended)} later ones of others "
        "have lost what was made of them"
    )


def _database() -> Database:
    with or_exit():
        logs.configure_quietly(settings())
        return open_database(settings().sql_url)


if __name__ == "__main__":
    app()
