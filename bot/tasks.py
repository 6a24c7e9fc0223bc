"""The Celery tasks of the `speak` queue; the work is in bot.delivery."""

from __future__ import annotations

from bot.wiring.speakers import speakers
from core.jobs.queue import TaskName, app


@app.task(name=TaskName.DELIVER.value)  # type: ignore[untyped-decorator]
def deliver_answer(turn_id: str) -> None:
    speakers().of_turn(turn_id).answers.deliver(turn_id)


@app.task(name=TaskName.POST_EXPLANATION.value)  # type: ignore[untyped-decorator]
def post_explanation(turn_id: str) -> None:
    speakers().of_turn(turn_id).explanations.deliver(turn_id)


@app.task(name=TaskName.SHOW_DETAILS.value)  # type: ignore[untyped-decorator]
def show_details(view_id: str) -> None:
    speakers().of_view(view_id).details.show(view_id)


@app.task(name=TaskName.PUBLISH_HOME.value)  # type: ignore[untyped-decorator]
def publish_home(team: str, user: str, which: str) -> None:
    speakers().of(team).home.publish(team, user, hidden=which == "hidden")


@app.task(name=TaskName.SUGGEST_PROMPTS.value)  # type: ignore[untyped-decorator]
def suggest_prompts(team: str, user: str, channel: str) -> None:
    speakers().of(team).prompts.suggest(team, user, channel)


@app.task(name=TaskName.AFTERWARDS.value)  # type: ignore[untyped-decorator]
def do_afterwards(row_id: str) -> None:
    speakers().of_row(row_id).afterwards.do(row_id)


@app.task(name=TaskName.VET.value)  # type: ignore[untyped-decorator]
def vet(turn_id: str) -> None:
    speakers().of_turn(turn_id).vetting.vet(turn_id)


@app.task(name=TaskName.TAKE_BACK.value)  # type: ignore[untyped-decorator]
def take_back(turn_id: str) -> None:
    speakers().of_turn(turn_id).deletion.delete_turn(turn_id)
