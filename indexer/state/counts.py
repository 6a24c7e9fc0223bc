"""What one sync of one space did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass
class Counts:
    """Numbers of pages, unless noted otherwise."""

    listed: int = 0
    # listed, and shown to nobody: restricted in the default mode, or of unknown readers
    withheld: int = 0
    scanned: int = 0  # labels and restrictions read
    fetched: int = 0  # bodies
    indexed: int = 0  # evidence rebuilt
    embedded: int = 0  # texts
    regranted: int = 0  # other readers than before
    hidden: int = 0  # taken away from readers
    failed: int = 0
    requests: int = 0
    kept_on_doubt: int = 0  # missing from a listing that looked broken
    # What is no page and not read, by kind, such as whiteboards; None where it could not be listed.
    unread: dict[str, int] | None = None

    def numbers(self) -> dict[str, int]:
        """All of them by name, to be saved and logged.

        >>> Counts(unread={"whiteboard": 2}).numbers()["unread.whiteboard"]
        2
        """
        numbers = {name: value for name, value in vars(self).items() if isinstance(value, int)}
        if self.unread is not None:
            numbers["unread"] = sum(self.unread.values())
            numbers |= {f"unread.{kind}": number for kind, number in self.unread.items()}
        return numbers


def unread_in(numbers: Mapping[str, int]) -> dict[str, int] | None:
    """What `Counts.unread` was, of saved numbers.

    >>> unread_in(Counts(unread={"whiteboard": 2}).numbers())
    {'whiteboard': 2}
    >>> unread_in(Counts().numbers()) is None
    True
    """
    if "unread" not in numbers:
        return None
    kinds = [name for name in numbers if name.startswith("unread.")]
    return {name.removeprefix("unread."): numbers[name] for name in kinds}
