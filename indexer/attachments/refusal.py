"""Why no text is taken from an attachment: a sentence for the operator that quotes nothing."""

from __future__ import annotations


class Refused(Exception):
    """The file is damaged, encrypted, too heavy, or no document; the message says which."""
