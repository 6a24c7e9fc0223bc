"""`python -m groundwire.doctor`: the doctor without the rest of the command."""

from __future__ import annotations

import typer

from groundwire.doctor.command import doctor

if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(doctor)
    app()
