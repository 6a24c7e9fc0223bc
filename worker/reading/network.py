"""The forward pass of the reader, in numpy: a BERT encoder (Devlin et al. 2018) and two heads.

The texts of a call stand one behind the other in one matrix, so each weight is read once for all of
them; only attention keeps to its own text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from worker.reading.weights import EncoderFile, Matrix, Shape


class Linear(NamedTuple):
    """A layer y = xW + b."""

    weights: Matrix  # shape (in, out)
    bias: Matrix

    def __call__(self, of: Matrix) -> Matrix:
        return np.asarray(of @ self.weights + self.bias)


class Norm(NamedTuple):
    """Layer normalization (Ba et al. 2016)."""

    scale: Matrix
    shift: Matrix
    epsilon: float

    def __call__(self, of: Matrix) -> Matrix:
        centred = of - of.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + self.epsilon)
        return np.asarray(centred / spread * self.scale + self.shift)


class Layer(NamedTuple):
    """One layer of the encoder: attention, then two linear layers, each added and normalized."""

    joined: Linear  # query, key and value side by side
    mixed: Linear
    after_attention: Norm
    widened: Linear
    narrowed: Linear
    after_all: Norm
    heads: int

    def __call__(self, of: Matrix, texts: Sequence[slice]) -> Matrix:
        attended = np.empty_like(of)
        joined = self.joined(of)
        for text in texts:
            attended[text] = _attention(joined[text], self.heads)
        of = self.after_attention(of + self.mixed(attended))
        return self.after_all(of + self.narrowed(_gelu(self.widened(of))))


class ReadTokens(NamedTuple):
    """A question and a text as tokens, in one row."""

    tokens: Sequence[int]
    text_from: int  # the place of the text's first token

    @property
    def kinds(self) -> list[int]:
        """0 of the question's tokens, 1 of the text's."""
        return [int(place >= self.text_from) for place in range(len(self.tokens))]


class Network:
    """The encoder with what was trained, ready to read."""

    def __init__(self, encoder: EncoderFile, trained: Mapping[str, Matrix]) -> None:
        shape = encoder.shape
        self._encoder = encoder
        self._places = encoder.tensor("emb.pos", shape.longest, shape.width)
        self._kinds = trained["seg"]
        self._first = _norm(encoder, "emb.ln", {}, "n")
        self._layers = [_layer(encoder, number, trained) for number in range(shape.layers)]
        self._hidden = Linear(trained["head.0.weight"].T, trained["head.0.bias"])
        self._answers = Linear(trained["head.2.weight"].T, trained["head.2.bias"])
        self._spans = Linear(trained["span.weight"].T, trained["span.bias"])

    def read(self, asked: Sequence[ReadTokens]) -> tuple[Matrix, list[Matrix]]:
        """Log-odds that each text answers, shape (texts,), and those of where the answer begins and
        ends, for each text of shape (tokens, 2); the first token stands for `nowhere`.
        """
        ends = np.cumsum([len(each.tokens) for each in asked])
        texts = [slice(end - len(each.tokens), end) for end, each in zip(ends, asked, strict=True)]
        state = self._embedded(asked)
        for layer in self._layers:
            state = layer(state, texts)
        first = state[[text.start for text in texts]]
        answers = self._answers(np.tanh(self._hidden(first)))[:, 0]
        spans = self._spans(state)
        return answers, [spans[text] for text in texts]

    def _embedded(self, asked: Sequence[ReadTokens]) -> Matrix:
        tokens = np.concatenate([np.asarray(each.tokens) for each in asked])
        places = np.concatenate([np.arange(len(each.tokens)) for each in asked])
        kinds = np.concatenate([np.asarray(each.kinds) for each in asked])
        words = self._encoder.rows("emb.word", tokens)
        return self._first(words + self._places[places] + self._kinds[kinds])


def _layer(encoder: EncoderFile, number: int, trained: Mapping[str, Matrix]) -> Layer:
    width, inner = encoder.shape.width, encoder.shape.inner

    def linear(names: Sequence[str], change: str, outer: int, source: int) -> Linear:
        rows = [encoder.tensor(f"l{number}.{name}.w", outer, source) for name in names]
        bias = [encoder.tensor(f"l{number}.{name}.b", outer) for name in names]
        weights = np.concatenate(rows)
        low, high = (trained.get(f"layers.{number}.{change}.{part}") for part in ("a", "c"))
        if low is not None and high is not None:
            weights = weights + high @ low
        return Linear(np.ascontiguousarray(weights.T), np.concatenate(bias))

    return Layer(
        linear(("q", "k", "v"), "qkv", width, width),
        linear(("ao",), "o", width, width),
        _norm(encoder, f"l{number}.aln", trained, f"layers.{number}.n1"),
        linear(("fi",), "fi", inner, width),
        linear(("fo",), "fo", width, inner),
        _norm(encoder, f"l{number}.oln", trained, f"layers.{number}.n2"),
        encoder.shape.heads,
    )


def _norm(encoder: EncoderFile, name: str, trained: Mapping[str, Matrix], changed: str) -> Norm:
    shape: Shape = encoder.shape
    scale = trained.get(f"{changed}.weight", encoder.tensor(f"{name}.w", shape.width))
    shift = trained.get(f"{changed}.bias", encoder.tensor(f"{name}.b", shape.width))
    return Norm(scale, shift, shape.epsilon)


def _attention(joined: Matrix, heads: int) -> Matrix:
    """Scaled dot-product attention of one text, shape (tokens, width)."""
    tokens, width = joined.shape[0], joined.shape[1] // 3
    parts = joined.reshape(tokens, 3, heads, width // heads).transpose(1, 2, 0, 3)
    query, key, value = parts
    scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(width // heads))
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.asarray((weights @ value).transpose(1, 0, 2).reshape(tokens, width))


def _gelu(of: Matrix) -> Matrix:
    """Gaussian error linear unit, approximated with tanh (Hendrycks and Gimpel 2016, section 2).

    It differs by .001 at most from the exact one, whose `erf` takes a third of all time in scipy.
    """
    inner = of * of
    inner *= np.float32(0.044715)
    inner += 1
    inner *= of
    inner *= np.float32(np.sqrt(2 / np.pi))
    np.tanh(inner, out=inner)
    inner += 1
    inner *= of
    inner *= np.float32(0.5)
    return inner
