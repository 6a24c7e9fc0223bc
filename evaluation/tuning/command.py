"""`python -m evaluation tune`: what exported pairs teach a small model, on pages new to it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from evaluation.harness.output import AsJson, fail, show_down
from evaluation.harness.progress import track
from evaluation.tuning.instructions import NotInstructions, dealt_out, read
from sandbox.llm import small

NEEDED = ("gguf", "torch", "transformers")


def tune(
    data: Annotated[Path, typer.Argument(help="What `groundwire pairs export` has written.")],
    out: Annotated[Path | None, typer.Option(help="Where the tuned model goes, as GGUF.")] = None,
    steps: Annotated[int, typer.Option(min=4, help="Examples that it learns from.")] = 250,
    control: Annotated[
        bool, typer.Option("--control", help="Beside it, one that learned answers of others.")
    ] = False,
    seed: int = 0,
    as_json: AsJson = False,
) -> None:
    """What exported pairs teach SmolLM2: loss and citations on pages that it has not seen.

    Takes about 1.5 seconds an example on two cores. The tuned model is served by
    `python -m sandbox.llm --model smollm2 --weights FILE`.
    """
    if out and out.exists():
        fail(f"{out} is there: name another file")
    try:
        weights = small.require()
        asked = read(data)
    except (small.NotInstalled, NotInstructions, OSError) as error:
        fail(str(error))
    if missing := [name for name in NEEDED if not find_spec(name)]:
        fail(f"{', '.join(missing)} is missing: scripts/install sandbox,smollm2,tuning")
    lessons = {"tuned": asked.learned}
    if control:
        lessons["answers of others"] = dealt_out(asked.learned, seed)
    columns: dict[str, dict[str, float | None]] = {}
    for name, learned in lessons.items():
        tuning = _fresh(weights)
        columns = columns or {"as it comes": tuning.measured(asked, seed)}
        for _ in track(tuning.learn(learned, steps, seed), f"learning: {name}", total=steps):
            pass
        columns[name] = tuning.measured(asked, seed)
        if out and name == "tuned":
            tuning.save(weights, out)
    show_down(columns, as_json=as_json)


def _fresh(weights: Path) -> Any:
    """The model as it comes, and what tunes it: loaded only here, since both need an extra."""
    tokenizer, model = import_module("evaluation.tuning.weights").load(weights)
    return import_module("evaluation.tuning.training").Tuning(tokenizer, model)
