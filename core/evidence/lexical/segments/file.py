"""File of a segment, or of other arrays, which all processes of a host map into their memory.

    magic, where the header stands, its length and its checksum
    arrays, each at a multiple of 64 bytes
    the header: JSON; each array's type, shape, place and checksum, and what the caller says

A file is written beside its name and renamed, so nobody reads half of one; who has mapped the one
before keeps it until they let go.
"""

from __future__ import annotations

import json
import os
import secrets
import struct
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.evidence.lexical.segments.merge import Allocate
from core.evidence.lexical.segments.segment import Arrays, arrays_of, made_of

T = TypeVar("T")
Head = Mapping[str, Any]

_MAGIC = b"groundwire index"
_START = struct.Struct("<16sQQI")
_ALIGNED = 64
LEFT_S = 3600.0  # nobody writes one file for so long
_CHUNK = 1 << 24  # bytes that are checked at a time


class Damaged(Exception):
    """A file is not what was written: somebody has cut or changed it."""


class _FileWriter:
    """A file that grows by one array after the other."""

    def __init__(self, path: Path) -> None:
        # Words of pages that not everybody may read: for this account alone.
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(opened, "w+b")
        self._size = _START.size
        self._places: dict[int, int] = {}  # by the address of an array that stands in the file

    def allocate(self, shape: tuple[int, ...], kind: type) -> NDArray[Any]:
        """An array in the file, which takes no memory of the process.

        Raises:
            OSError: the disk is full. Its blocks are taken now: else it would be the writing into
                memory that fails, which ends a process.
        """
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        if not size:
            return np.zeros(shape, kind)
        at = -(-self._size // _ALIGNED) * _ALIGNED
        os.posix_fallocate(self._file.fileno(), at, size)
        self._size = at + size
        array = np.memmap(self._file, kind, "r+", at, shape)
        self._places[array.ctypes.data] = at
        return array

    def finish(self, arrays: Arrays, head: Head) -> None:
        described = {name: self._put(array) for name, array in arrays.items()}
        header = json.dumps({"head": dict(head), "arrays": described}).encode()
        at = self._size
        os.posix_fallocate(self._file.fileno(), at, len(header))
        self._file.seek(at)
        self._file.write(header)
        self._file.seek(0)
        self._file.write(_START.pack(_MAGIC, at, len(header), zlib.crc32(header)))
        self._file.flush()
        os.fsync(self._file.fileno())  # else a power loss may leave an empty file under its name

    def close(self) -> None:
        self._file.close()

    def _put(self, array: NDArray[Any]) -> dict[str, Any]:
        at = self._places.get(array.ctypes.data) if array.size else 0
        if at is None:
            there = self.allocate(array.shape, array.dtype.type)
            there[...] = array
            array, at = there, self._places[there.ctypes.data]
        if isinstance(array, np.memmap):
            array.flush()
        return {"kind": array.dtype.str, "shape": array.shape, "at": at, "crc": _checksum(array)}


def write(path: Path, make: Callable[[Allocate], object], head: Head) -> None:
    """Write what `make` makes, whose large arrays it may put right into the file.

    Raises:
        OSError: the disk is full, or this account may not write there; nothing has changed.
    """
    _tidy(path)
    new = path.with_suffix(f".{secrets.token_hex(8)}.new")
    writer = _FileWriter(new)
    try:
        writer.finish(arrays_of(make(writer.allocate)), head)
        new.replace(path)
    finally:
        writer.close()
        with suppress(FileNotFoundError):
            new.unlink()


def _tidy(path: Path) -> None:
    """Delete what somebody has left who was killed long ago while they wrote this."""
    for left in path.parent.glob(f"{path.stem}.*.new"):
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > LEFT_S:
                left.unlink()


def read(path: Path, kind: type[T], *, is_checked: bool = True) -> tuple[dict[str, Any], T]:
    """What the caller said when it was written, and what was written, mapped.

    `is_checked` reads all of it, about a second for a gigabyte, and compares it with its checksums.

    Raises:
        FileNotFoundError: there is none.
        Damaged: it is not whole.
    """
    with path.open("rb") as file:
        mapped = _mapped(file.fileno())
        header = _header(mapped)
        try:
            arrays = {name: _array(mapped, **each) for name, each in header["arrays"].items()}
            if is_checked:
                for name, each in header["arrays"].items():
                    if _checksum(arrays[name]) != each["crc"]:
                        raise Damaged(f"{name} is not what was written")
            found = made_of(kind, arrays)
            head = dict(header["head"])
        except (KeyError, TypeError, ValueError) as error:
            raise Damaged(f"its header makes no sense: {error}") from error
    return head, found


def _mapped(descriptor: int) -> NDArray[np.uint8]:
    size = os.fstat(descriptor).st_size
    if size < _START.size:
        raise Damaged("it is cut off")
    with os.fdopen(os.dup(descriptor), "rb") as file:
        return np.memmap(file, np.uint8, "r")


def _header(mapped: NDArray[np.uint8]) -> dict[str, Any]:
    magic, at, size, checksum = _START.unpack(mapped[: _START.size].tobytes())
    if magic != _MAGIC or not size or at + size > len(mapped):
        raise Damaged("it is cut off, or no index")
    raw = mapped[at : at + size].tobytes()
    if zlib.crc32(raw) != checksum:
        raise Damaged("its header is not what was written")
    try:
        found = json.loads(raw)
    except ValueError as error:
        raise Damaged(f"its header is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise Damaged("its header is no JSON object")
    return found


def _array(
    mapped: NDArray[np.uint8], kind: str, shape: list[int], at: int, crc: int
) -> NDArray[Any]:
    dtype = np.dtype(kind)
    size = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(mapped[at : at + size], dtype).reshape(shape)


def _checksum(array: NDArray[Any]) -> int:
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    found = 0
    for start in range(0, len(raw), _CHUNK):
        found = zlib.crc32(raw[start : start + _CHUNK].data, found)
    return found
