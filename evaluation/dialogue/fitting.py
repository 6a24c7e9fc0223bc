"""Fits the reader of dialogue, and says how it does on what it was not fitted on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from core.dialogue.fitted import Encoder, FittedReader
from core.dialogue.likely import Written, read_by
from core.dialogue.message import Place
from core.dialogue.reading import read
from evaluation.dialogue.labelled import Decided, LabelledMessage, decided
from evaluation.dialogue.taught import TaughtMessage, taught_of
from evaluation.harness.interval import Share

WEIGHTS = Path(str(files("core.dialogue"))) / "fitted.json"
FOLDS = 8
FOLDS_OF_OTHERS = 5
DIGITS = 4  # of a weight: more change no decision

Numbers = NDArray[np.float64]


def fit(learned: Sequence[TaughtMessage], file: Path = WEIGHTS) -> None:
    """Write the weights: a line for each meaning."""
    model = _fitted(learned, _features(learned, Encoder()))
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
        _features(learned, Encoder()),
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


def decided_unseen(
    scenes: Sequence[TaughtMessage], others: Sequence[LabelledMessage]
) -> list[Decided]:
    """What becomes of each of others' messages, read by a fit on the scenes and the other folds.

    Messages of one conversation are never parted.
    """
    encoder = Encoder()
    known = _features(scenes, encoder)
    conversations = [each.conversation for each in others]
    found = []
    for seen, unseen in GroupKFold(FOLDS_OF_OTHERS).split(others, groups=conversations):
        more = taught_of([others[row] for row in seen])
        model = _fitted([*scenes, *more], np.vstack((known, _features(more, encoder))))
        names = [str(name) for name in model.classes_]
        with read_by(FittedReader(encoder, names, model.coef_, model.intercept_)):
            found += decided([others[row] for row in unseen])
    return found


def _fitted(learned: Sequence[TaughtMessage], features: Numbers) -> LogisticRegression:
    weights = [each.weight for each in learned]
    return _model().fit(features, [str(each.meaning) for each in learned], weights)


def _model() -> LogisticRegression:
    # As strong a penalty as is usual; three times less or more changes no figure by a point.
    return LogisticRegression(C=1.0, max_iter=3000)


def _features(learned: Sequence[TaughtMessage], encoder: Encoder) -> Numbers:
    rows = []
    for each in learned:
        message = each.message
        names = {line.who for line in message.before if not line.by_bot}
        said = read(message.text, names)
        rows.append(encoder.features(Written.of(message, said)))
    return np.vstack(rows)
