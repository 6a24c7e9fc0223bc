"""Keeps answers and marks of a run, a line each, so that one that was stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from evaluation.sets.confquestions import DataMissing

T = TypeVar("T")


class Kept:
    """The file's lines by their names; without a file nothing is kept."""

    def __init__(self, file: Path | None, of: Mapping[str, object]) -> None:
        """`of` says which run it is.

        Raises:
            DataMissing: the file is of another run, or of something else.
        """
        self._file = file
        self._lines: dict[str, Any] = {}
        if file is None:
            return
        run = json.loads(json.dumps(of))
        if file.exists():
            self._lines = _read(file)
            if self._lines.pop("run", None) != run:
                raise DataMissing(f"{file} is of another run: name another file")
        else:
            self._write("run", run)

    def once(self, name: str, kind: type[T], make: Callable[[], T]) -> T:
        """What stands under this name; else it is made and kept."""
        known = TypeAdapter(kind)
        if name in self._lines:
            return known.validate_python(self._lines[name])
        made = make()
        self._write(name, known.dump_python(made, mode="json"))
        return made

    def _write(self, name: str, value: Any) -> None:
        if self._file is None:
            return
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"name": name, "value": value}, ensure_ascii=False) + "\n")


def _read(file: Path) -> dict[str, Any]:
    """The last line may have been cut off; it is made again.

    Raises:
        DataMissing: another line cannot be read.
    """
    found: dict[str, Any] = {}
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            found[entry["name"]] = entry["value"]
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines) and not line.endswith("\n"):
                file.write_text("".join(lines[:-1]), encoding="utf-8")
                break
            raise DataMissing(f"{file}, line {number}: {error}") from error
    return found
