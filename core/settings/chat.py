"""Settings of the chat model: where it is, how it is asked, which pages may reach it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings

from core.settings.endpoints import Endpoint, endpoint
from core.settings.values import EndpointPlace, words


class ModelSettings(BaseSettings):
    """A part of core.settings.Settings."""

    llm_base_url: str | None = None
    llm_api_key: SecretStr = SecretStr("none")
    llm_model: str | None = None
    llm_models: str = ""
    llm_explain_model: str | None = None
    llm_timeout_s: float = Field(40.0, gt=0)
    llm_temperature: Annotated[float, Field(ge=0, le=2)] | Literal["none"] = 0.0
    llm_seed: int | Literal["none"] = 1
    llm_context_tokens: int = Field(6000, ge=1000)
    llm_endpoint: EndpointPlace = EndpointPlace.AUTO
    llm_spaces: str = ""
    llm_excluded_labels: str = ""
    llm_restricted: bool = False

    @property
    def llm_model_names(self) -> tuple[str, ...]:
        """The models that can be chosen, the default first; empty without an endpoint."""
        if self.llm_base_url is None:
            return ()
        names = dict.fromkeys(words(self.llm_models))
        if self.llm_model:
            names = {self.llm_model: None} | names
        return tuple(names)

    @property
    def llm_sampling(self) -> dict[str, float]:
        """How a model chooses its words, as its endpoint is told; what is `none` is not sent."""
        chosen = {"temperature": self.llm_temperature, "seed": self.llm_seed}
        return {name: value for name, value in chosen.items() if value != "none"}

    @property
    def model_endpoint(self) -> Endpoint | None:
        return endpoint(self.llm_base_url, self.llm_endpoint) if self.llm_base_url else None
