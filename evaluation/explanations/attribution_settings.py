"""Settings of a run of `attribution`: the running product's, with the operator's model."""

from __future__ import annotations

from core.settings import Settings
from evaluation.answers.measure import with_model


def model_of(stage: Settings, own: Settings) -> Settings:
    """The settings of the running product with the operator's model and how it is to explain.

    Raises:
        SettingsError: LLM_BASE_URL is set without LLM_MODEL.
    """
    chosen = with_model(stage, own, wanted=own.llm_base_url is not None)
    if own.llm_base_url is None:
        return chosen
    own.require("llm_model")
    names = [name for name in type(own).model_fields if name.startswith("explain_")]
    names += ["llm_explain_model", "llm_context_tokens"]
    return chosen.model_copy(update={name: getattr(own, name) for name in names})


def run_of(chosen: Settings) -> dict[str, object]:
    """What must be the same for a run to go on."""
    names = [name for name in Settings.model_fields if name.startswith("explain_")]
    names += ["llm_model", "llm_explain_model", "llm_context_tokens", "embedder"]
    return {name: str(getattr(chosen, name)) for name in names}
