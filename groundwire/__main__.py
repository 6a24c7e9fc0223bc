"""`groundwire`, from a wheel or a checkout: finds the programs, then does what was typed."""

from __future__ import annotations

from importlib import import_module

from groundwire.where import find_programs


def main() -> None:
    find_programs()
    import_module("groundwire.commands").app(prog_name="groundwire")  # it imports them


if __name__ == "__main__":
    main()
