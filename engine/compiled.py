"""The one typed wrapper of numba.njit, and where compiled code is kept.

It never imports numba before something compiled is called.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_FOLDER = "NUMBA_CACHE_DIR"
_PREFIX = "code-"
_KEPT = 4  # folders of compiled code, for whoever goes back and forth between versions
_COMPILED = b"\nfrom engine.compiled import "
_IMPORTED = re.compile(rb"^from (engine(?:\.\w+)+) import ", re.MULTILINE)


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
    wrapped: Callable[P, R] = _numba().njit(cache=True, nogil=True)(function)
    return wrapped


def njit_bare(function: Callable[P, R]) -> Callable[P, R]:
    """As njit_now, for functions that make no array: references are not counted, which is ten times as fast."""
    jit: Callable[..., Callable[[Callable[P, R]], Callable[P, R]]] = _numba().njit  # its types leave `_nrt` out
    return jit(cache=True, nogil=True, _nrt=False)(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """As njit_now, but the body is copied into each compiled caller: for what takes many arrays and is called often."""
    wrapped: Callable[P, R] = _numba().njit(inline="always")(function)
    return wrapped


@functools.cache
def _numba() -> ModuleType:
    """Numba, whose cache lies in a folder of these very sources.

    Its own cache sees that a function's module changed, but not that another did which holds what the function calls
    or a constant that it took in.
    """
    if chosen := os.environ.get(_FOLDER):
        os.environ[_FOLDER] = str(cache_folder_for(Path(chosen), digest_of_sources(Path(__file__).parent)))
    numba = import_module("numba")
    numba.core.config.reload_config()  # where another has imported it before
    return numba


def digest_of_sources(package: Path) -> str:
    """Of the modules of a package that hold compiled functions, and of all that these import from it."""
    texts = {path: path.read_bytes() for path in package.rglob("*.py")}
    waiting, taken = [path for path, text in texts.items() if _COMPILED in text], set[Path]()
    while waiting:
        path = waiting.pop()
        if path not in taken:
            taken.add(path)
            for name in _IMPORTED.findall(texts[path]):
                module = package.parent.joinpath(*name.decode().split("."))
                waiting += {module.with_suffix(".py"), module / "__init__.py"} & texts.keys()
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(taken):
        digest.update(b"%s %d " % (path.name.encode(), len(texts[path])) + texts[path])
    return digest.hexdigest()


def cache_folder_for(chosen: Path, digest: str) -> Path:
    """The folder for the code of these sources in the chosen one; only the folders used last are left beside it."""
    base = chosen.parent if chosen.name.startswith(_PREFIX) else chosen  # the process that started this one chose it
    folder = base / f"{_PREFIX}{digest}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        others = sorted(base.glob(f"{_PREFIX}*"), key=lambda path: path.stat().st_mtime)
    except OSError:  # nothing can be kept there, or another process tidies up as well
        return folder
    for path in others[:-_KEPT]:
        shutil.rmtree(path, ignore_errors=True)
    return folder
