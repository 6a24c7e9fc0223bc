"""Tuned ranking weights: those that `python -m indexer tune` chose for this installation's pages.

They stand in SQL beside what was measured, and are used only where RANKING says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from core import logs
from core.errors import SettingsError
from core.evidence.ranking.grid import NoSuchWeight, with_weights
from core.evidence.ranking.weights import PRODUCT, Ranking
from core.settings.values import Weights
from core.storage.database import Database
from core.storage.index_tables import IndexRow, TunedRow
from core.storage.upsert import put

log = logs.get(__name__)

# No weight of the grid is larger.
_WEIGHTS = TypeAdapter(dict[str, Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]])
_FIGURES = TypeAdapter(dict[str, Any])
_AGAIN = "run `python -m indexer tune`, or set RANKING=product"


def chosen_ranking(database: Database, wanted: Weights) -> Ranking:
    """The ranking that the setting RANKING asks for.

    Raises:
        SettingsError: tuned weights are wanted, and there are none, or none that fit.
    """
    if wanted is Weights.PRODUCT:
        return PRODUCT
    with database.reading() as session:
        tuned, index = session.get(TunedRow, 1), session.get(IndexRow, 1)
    if tuned is None:
        raise SettingsError(f"RANKING=tuned, but nothing has been tuned yet: {_AGAIN}")
    made_for, weights = _read(tuned)
    if index is not None and index.embedder != made_for:
        raise SettingsError(
            f"RANKING=tuned, but the weights were tuned for the embedder {made_for}: {_AGAIN}"
        )
    log.info("ranking.tuned", made_at=tuned.made_at, weights=weights)
    try:
        return with_weights(PRODUCT, weights)
    except NoSuchWeight as error:
        raise SettingsError(
            f"RANKING=tuned, but an older version chose the weights ({error}): {_AGAIN}"
        ) from error


def save(database: Database, weights: Mapping[str, float], figures: Mapping[str, Any]) -> None:
    """Keep weights in place of those chosen before; `figures` says what was measured.

    No weights: by this measurement the product's own are best.
    """
    row = TunedRow(weights=dict(weights), figures=dict(figures))
    with database.session() as session:
        put(session, row)


def _read(row: TunedRow) -> tuple[str, dict[str, float]]:
    """The embedder that was tuned for, and the weights.

    Raises:
        SettingsError: they are not what `save` has written.
    """
    try:
        figures = _FIGURES.validate_python(row.figures)
        return figures["embedder"], _WEIGHTS.validate_python(row.weights)
    except (KeyError, ValidationError) as error:
        raise SettingsError(f"RANKING=tuned, but what was tuned is damaged: {_AGAIN}") from error
