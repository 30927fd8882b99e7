"""The one typed wrapper of numba.njit. It never imports numba before something compiled is called."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def njit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile at the first call, cached on disk, without the interpreter lock.

    The function may call other functions only when those are wrapped with `njit_now`.
    """
    compiled: list[Callable[P, R]] = []

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not compiled:  # two threads that come at once wrap it twice, which does no harm
            compiled.append(njit_now(function))
        return compiled[0](*args, **kwargs)

    return call


def njit_now(function: Callable[P, R]) -> Callable[P, R]:
    """Wrap at once, for modules that are themselves imported late; compiled functions may call each other."""
    import numba

    wrapped: Callable[P, R] = numba.njit(cache=True, nogil=True)(function)
    return wrapped


def njit_bare(function: Callable[P, R]) -> Callable[P, R]:
    """As njit_now, for functions that make no array: references are not counted, which is ten times as fast."""
    import numba

    jit: Callable[..., Callable[[Callable[P, R]], Callable[P, R]]] = numba.njit  # its types leave `_nrt` out
    return jit(cache=True, nogil=True, _nrt=False)(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """As njit_now, but the body is copied into each compiled caller: for what takes many arrays and is called often."""
    import numba

    wrapped: Callable[P, R] = numba.njit(inline="always")(function)
    return wrapped
