"""Tells an error in the log: a sentence with cause and cure, and a traceback where it is needed."""

from __future__ import annotations

from core import logs
from core.storage.outages import sentence

log = logs.get(__name__)

DEFECT = "this should not happen; the log has the traceback, please report it"


def report(event: str, error: Exception, **where: str) -> str:
    """Log it, and return the sentence.

    What may be lost and come back is a warning, with its traceback at DEBUG; all else is a defect.
    """
    if said := sentence(error):
        log.warning(event, error=said, **where)
        log.debug(event, exc_info=error, **where)
        return said
    said = f"{DEFECT} ({type(error).__name__})"
    log.error(event, error=said, exc_info=error, **where)
    return said
