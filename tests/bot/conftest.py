"""Fixtures of tests/bot; they stand in given.py, which mypy can tell from other conftest.py."""

from given import *  # noqa: F403
