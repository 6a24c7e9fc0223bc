"""Gives the tests of this folder what stands in given.py, which mypy can tell from the other conftest.py."""

from given import *  # noqa: F403
