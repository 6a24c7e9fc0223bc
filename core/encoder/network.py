"""The forward pass of the encoder, in numpy: BERT (Devlin et al. 2018), changed as was trained.

The texts of a call stand one behind the other in one matrix, so each weight is read once for all of
them; only attention keeps to its own text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from core.encoder.weights import EncoderFile, Matrix, Shape

MOST_LAYERS = 12  # that are kept: one encoder's


class Linear(NamedTuple):
    """A layer y = xW + b."""

    weights: Matrix  # shape (in, out)
    bias: Matrix

    def __call__(self, of: Matrix) -> Matrix:
        return np.asarray(of @ self.weights + self.bias)


class ChangedLinear(NamedTuple):
    """A layer and a change of low rank beside it, so that all readers of a process share the layer.

    Hu et al. 2021 (https://arxiv.org/abs/2106.09685), whose weights we do not add up.
    """

    layer: Linear
    low: Matrix  # shape (in, rank)
    high: Matrix  # shape (rank, out)

    def __call__(self, of: Matrix) -> Matrix:
        made = self.layer(of)
        made += (of @ self.low) @ self.high
        return made


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

    joined: Linear | ChangedLinear  # query, key and value side by side
    mixed: Linear | ChangedLinear
    after_attention: Norm
    widened: Linear | ChangedLinear
    narrowed: Linear | ChangedLinear
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
    """What is asked and a text, as tokens in one row."""

    tokens: Sequence[int]
    text_from: int  # the place of the text's first token

    @property
    def kinds(self) -> list[int]:
        """0 of what is asked, 1 of the text."""
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

    def states(self, read: Sequence[ReadTokens]) -> list[Matrix]:
        """Of each row what the encoder makes of its tokens, shape (tokens, width)."""
        ends = np.cumsum([len(each.tokens) for each in read])
        texts = [slice(end - len(each.tokens), end) for end, each in zip(ends, read, strict=True)]
        state = self._embedded(read)
        for layer in self._layers:
            state = layer(state, texts)
        return [state[text] for text in texts]

    def _embedded(self, read: Sequence[ReadTokens]) -> Matrix:
        tokens = np.concatenate([np.asarray(each.tokens) for each in read])
        places = np.concatenate([np.arange(len(each.tokens)) for each in read])
        kinds = np.concatenate([np.asarray(each.kinds) for each in read])
        words = self._encoder.rows("emb.word", tokens)
        return self._first(words + self._places[places] + self._kinds[kinds])


class PackagedLinears(NamedTuple):
    """Those of one layer, as the package has them."""

    qkv: Linear
    o: Linear
    fi: Linear
    fo: Linear


def _layer(encoder: EncoderFile, number: int, trained: Mapping[str, Matrix]) -> Layer:
    packaged = _packaged(encoder, number)

    def changed(name: str) -> Linear | ChangedLinear:
        layer: Linear = getattr(packaged, name)
        low, high = (trained.get(f"layers.{number}.{name}.{part}") for part in ("a", "c"))
        if low is None or high is None:
            return layer
        return ChangedLinear(layer, np.ascontiguousarray(low.T), np.ascontiguousarray(high.T))

    return Layer(
        changed("qkv"),
        changed("o"),
        _norm(encoder, f"l{number}.aln", trained, f"layers.{number}.n1"),
        changed("fi"),
        changed("fo"),
        _norm(encoder, f"l{number}.oln", trained, f"layers.{number}.n2"),
        encoder.shape.heads,
    )


@lru_cache(maxsize=MOST_LAYERS)
def _packaged(encoder: EncoderFile, number: int) -> PackagedLinears:
    """All readers of a process share these."""
    width, inner = encoder.shape.width, encoder.shape.inner

    def linear(names: Sequence[str], outer: int, source: int) -> Linear:
        rows = [encoder.tensor(f"l{number}.{name}.w", outer, source) for name in names]
        bias = [encoder.tensor(f"l{number}.{name}.b", outer) for name in names]
        return Linear(np.ascontiguousarray(np.concatenate(rows).T), np.concatenate(bias))

    return PackagedLinears(
        linear(("q", "k", "v"), width, width),
        linear(("ao",), width, width),
        linear(("fi",), inner, width),
        linear(("fo",), width, inner),
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
