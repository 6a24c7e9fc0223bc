"""The network of `core.encoder` in torch, where its changes can be trained."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.encoder.weights import EncoderFile, Matrix
from evaluation.harness.output import fail

RANK = 16  # of the changes
STRENGTH = 2.0  # with which they are added
HIDDEN = -1e4  # log-odds of what is not looked at
FROZEN = 4  # layers at the bottom that stay as they are


class Rows(NamedTuple):
    """Token rows side by side, each of shape (rows, tokens)."""

    tokens: Tensor
    kinds: Tensor  # 1 from the text on
    mask: Tensor  # False where a row has ended


class Changed(nn.Module):  # type: ignore[misc]  # torch is an extra, unknown to mypy
    """A linear layer that stays as it is, and a change of low rank."""

    def __init__(self, weights: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.weights, self.bias = weights, bias
        self.a = nn.Parameter(torch.randn(RANK, weights.shape[1]) / math.sqrt(weights.shape[1]))
        self.c = nn.Parameter(torch.zeros(weights.shape[0], RANK))

    def forward(self, of: Tensor) -> Tensor:
        # Added up, since a second way through the layer costs more than the sum.
        return functional.linear(of, self.weights + STRENGTH * (self.c @ self.a), self.bias)


class TrainableLayer(nn.Module):  # type: ignore[misc]  # torch is an extra, unknown to mypy
    """One layer of the encoder."""

    def __init__(self, encoder: EncoderFile, number: int) -> None:
        super().__init__()
        width, inner = encoder.shape.width, encoder.shape.inner

        def tensor(name: str, *shape: int) -> Tensor:
            return torch.from_numpy(encoder.tensor(f"l{number}.{name}", *shape))

        parts = ("q", "k", "v")
        weights = torch.cat([tensor(f"{part}.w", width, width) for part in parts])
        self.qkv = Changed(weights, torch.cat([tensor(f"{part}.b", width) for part in parts]))
        self.o = Changed(tensor("ao.w", width, width), tensor("ao.b", width))
        self.fi = Changed(tensor("fi.w", inner, width), tensor("fi.b", inner))
        self.fo = Changed(tensor("fo.w", width, inner), tensor("fo.b", width))
        self.n1 = _norm(encoder, f"l{number}.aln")
        self.n2 = _norm(encoder, f"l{number}.oln")
        self._heads = encoder.shape.heads

    def forward(self, of: Tensor, mask: Tensor) -> Tensor:
        texts, tokens, width = of.shape
        parts = self.qkv(of).view(texts, tokens, 3, self._heads, width // self._heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        attended = _attended(query, key, value, mask)
        of = self.n1(of + self.o(attended.transpose(1, 2).reshape(of.shape)))
        return torch.as_tensor(self.n2(of + self.fo(functional.gelu(self.fi(of)))))


class TrainableEncoder(nn.Module):  # type: ignore[misc]  # torch is an extra, unknown to mypy
    """The encoder, and a head over the state of its first token; a reader may add others."""

    def __init__(self, encoder: EncoderFile, outputs: int) -> None:
        super().__init__()
        shape = encoder.shape
        width = shape.width
        words = encoder.tensor("emb.word", shape.words, width)
        self._words = torch.from_numpy(words).to(torch.bfloat16)
        self._places = torch.from_numpy(encoder.tensor("emb.pos", shape.longest, width))
        self.seg = nn.Parameter(torch.from_numpy(encoder.tensor("emb.type", shape.kinds, width)))
        self.n = _norm(encoder, "emb.ln")
        self.layers = nn.ModuleList(TrainableLayer(encoder, at) for at in range(shape.layers))
        self.head = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, outputs))
        for part in (self.n, *list(self.layers)[:FROZEN]):
            part.requires_grad_(requires_grad=False)
        # All the rest is saved, whether or not a training goes on with it.
        self._packaged = {n for n, value in self.named_parameters() if not value.requires_grad}

    def state(self, rows: Rows) -> Tensor:
        """What the encoder makes of each token, shape (rows, tokens, width)."""
        words = self._words[rows.tokens].float() + self._places[: rows.tokens.shape[1]]
        state = self.n(words + self.seg[rows.kinds])
        # Some processors multiply in bfloat16 many times as fast.
        with torch.autocast("cpu", torch.bfloat16, enabled=self.training):
            for layer in self.layers:
                state = layer(state, rows.mask[:, None, None, :])
        return torch.as_tensor(state.float())

    def heads(self) -> list[nn.Parameter]:
        """What learns at a rate of its own."""
        return list(self.head.parameters())

    def take_up(self, trained: Mapping[str, Matrix], share: float = 1.0) -> None:
        """Become what `trained` gave, or move towards it by a share of the way."""
        with torch.no_grad():
            for name, value in self.named_parameters():
                if name not in self._packaged:
                    array = trained[name].astype(np.float32)
                    value.lerp_(torch.from_numpy(array / _strength(name)), share)

    def trained(self) -> Iterator[tuple[str, Matrix]]:
        """What differs from the encoder, by the names that `core.encoder.network` knows."""
        for name, value in self.named_parameters():
            if name not in self._packaged:
                array = value.detach().numpy() * _strength(name)
                is_large = array.ndim > 1 and name != "seg"
                yield name, array.astype(np.float16 if is_large else np.float32)


def _attended(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """Scaled dot-product attention; what torch has for it takes half of a training's time.

    What is masked has a value of its own beside each key, as masking the product takes as long as
    making it.
    """
    hidden = torch.where(mask, 0.0, HIDDEN).to(key.dtype).transpose(-1, -2)
    keys = torch.cat((key, hidden.expand(*key.shape[:-1], 1)), -1)
    queries = functional.pad(query / math.sqrt(query.shape[-1]), (0, 1), value=1.0)
    return (queries @ keys.transpose(-1, -2)).softmax(-1) @ value


def _strength(name: str) -> float:
    return STRENGTH if name.endswith(".c") else 1.0


def _norm(encoder: EncoderFile, name: str) -> nn.LayerNorm:
    width = encoder.shape.width
    made = nn.LayerNorm(width, eps=encoder.shape.epsilon)
    with torch.no_grad():
        made.weight.copy_(torch.from_numpy(encoder.tensor(f"{name}.w", width)))
        made.bias.copy_(torch.from_numpy(encoder.tensor(f"{name}.b", width)))
    return made


def go_on(network: TrainableEncoder, start: Path, share: float = 1.0) -> None:
    """Take up the weights that an earlier training has saved, or move towards them."""
    try:
        with np.load(start) as trained:
            network.take_up(trained, share)
    except (OSError, ValueError, KeyError, AttributeError, RuntimeError) as error:
        fail(
            f"{start} holds no weights of this network ({error}): give what a training has written"
        )
