"""Fixtures of these tests; they stand in doctored.py, which mypy tells from other conftest.py."""

from doctored import clinic, installation

__all__ = ["clinic", "installation"]
