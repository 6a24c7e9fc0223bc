"""Parts of a search: which of them takes how much of its processor time, as a profile tells."""

from __future__ import annotations

import time
from collections.abc import Callable
from cProfile import Profile
from pstats import Stats

# By file and function; none is called by another one.
_PARTS = {
    ("speed/salad.py", "embed"): "embedding the question",
    ("lexical/bm25f.py", "scores"): "scoring by words",
    ("query/word_neighbours.py", "near"): "nearest words",
    ("lexical/readable.py", "title_words_like"): "typos",
    ("dense/coded.py", "candidates"): "codes of vectors",
    ("dense/nearest.py", "vectors_of"): "vectors from SQL",
    ("ranking/hits.py", "best_hits"): "rows of the hits",
}


def by_part(work: Callable[[], None], times: int, whole_ms: float) -> dict[str, float]:
    """Milliseconds of each part of one search, where `work` makes so many.

    A profile slows everything down, so its shares are those of `whole_ms`.
    """
    profile = Profile(time.process_time)
    began = time.process_time()
    profile.runcall(work)
    taken = time.process_time() - began
    scale = whole_ms / (1000 * taken)
    found = dict.fromkeys(_PARTS.values(), 0.0)
    for (file, _line, function), row in Stats(profile).stats.items():  # type: ignore[attr-defined]
        for (ending, name), part in _PARTS.items():
            if function == name and file.endswith(ending):
                found[part] += 1000 * scale * row[3]
    found["everything else"] = whole_ms - sum(found.values())
    return {name: round(milliseconds, 2) for name, milliseconds in found.items()}
