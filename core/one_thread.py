"""One thread for the arithmetic of a search on vectors: more of them wait for each other.

Its matrices are small, and a machine that answers several questions has no core left over. Measured
on two busy cores, a thousand vectors of 512 numbers compared with one: 0.03 ms of processor time
with one thread, 2.3 ms with two, which spin while they wait.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from threadpoolctl import ThreadpoolController

# numpy is loaded by now (core.embeddings): its library is looked up once, not for each question.
_libraries = ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """A context in which numpy multiplies with one thread; entering it takes 7 µs."""
    limit: AbstractContextManager[object] = _libraries.limit(limits=1, user_api="blas")
    return limit
