"""Fits the reader of dialogue, and says how it does on scenes that it was not fitted on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from core.dialogue.fitted import Encoder
from core.dialogue.likely import Written
from core.dialogue.message import Place
from core.dialogue.reading import read
from evaluation.dialogue.taught import TaughtMessage
from evaluation.harness.interval import Share

WEIGHTS = Path(str(files("core.dialogue"))) / "fitted.json"
FOLDS = 8
DIGITS = 4  # of a weight: more change no decision

Numbers = NDArray[np.float64]


def fit(learned: Sequence[TaughtMessage], file: Path = WEIGHTS) -> None:
    """Write the weights: a line for each meaning."""
    model = _model().fit(_features(learned), [each.meaning for each in learned])
    lines = []
    for name, weights, constant in zip(model.classes_, model.coef_, model.intercept_, strict=True):
        rounded = [round(float(weight), DIGITS) for weight in weights]
        fitted = {"constant": round(float(constant), DIGITS), "weights": rounded}
        lines.append(f'"{name}": {json.dumps(fitted, separators=(",", ":"))}')
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def cross_validated(learned: Sequence[TaughtMessage]) -> dict[str, Share]:
    """Shares of right meanings, each found by a fit on other scenes."""
    found = cross_val_predict(
        _model(),
        _features(learned),
        [str(each.meaning) for each in learned],
        groups=[each.scene for each in learned],
        cv=GroupKFold(FOLDS),
    )
    right = [meaning == each.meaning for each, meaning in zip(learned, found, strict=True)]
    places = [each.message.place for each in learned]
    shares = {"all": Share.of_all(right)}
    for place in (Place.THREAD, Place.DM):
        pairs = zip(places, right, strict=True)
        shares[place] = Share.of_all(is_right for where, is_right in pairs if where is place)
    return shares


def _model() -> LogisticRegression:
    # As strong a penalty as is usual; three times less or more changes no figure by a point.
    return LogisticRegression(C=1.0, max_iter=3000)


def _features(learned: Sequence[TaughtMessage]) -> Numbers:
    encoder = Encoder()
    rows = []
    for each in learned:
        message = each.message
        names = {line.who for line in message.before if not line.by_bot}
        said = read(message.text, names)
        rows.append(encoder.features(Written.of(message, said)))
    return np.vstack(rows)
