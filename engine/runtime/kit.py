"""Kits: a person's own kernels, loaded from the folders beside the plan.

Only a device process loads them, and only once the person trusts the folder: nothing here asks.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from engine.errors import DeviceError
from engine.kernels import DeclaredKernel, Kernel, find_kernel
from engine.kernels.kernel import Array, Parameters, part_span
from engine.kernels.kit_file import NAME, read_kit
from engine.model import KernelSpec, KernelSplit
from engine.program.operation import Program

Function = Callable[..., Any]

_MOST_LETTERS = 300

# Modules by file, and what their folder looked like when they were loaded: a kit that was edited is loaded again.
_modules: dict[Path, tuple[object, ModuleType]] = {}


def kernels_of(program: Program) -> dict[str, Kernel]:
    """Every kernel of a program by name, those of kits loaded from their folders.

    Raises DeviceError with one sentence, the file and the line, where a kit is broken or is not what the plan took in.
    """
    beside = Path(program.folder)
    declared = {kit: _declared(beside / kit, kit) for kit in {spec.kit for spec in program.kits}}
    own = {spec.name: _load(spec, beside / spec.kit, declared[spec.kit]) for spec in program.kits}
    names = {operation.kernel for operation in program.operations if operation.kernel}
    return {name: own[name] if name in own else find_kernel(name) for name in names}


class LoadedKernel(DeclaredKernel):
    """A kernel of a kit, with its code."""

    def __init__(self, spec: KernelSpec, folder: Path) -> None:
        super().__init__(spec)
        self._folder = folder
        self._function = _function(folder, spec.python)
        self._reference = _function(folder, spec.reference)
        self._takes_xp = self._function is not None and "xp" in inspect.signature(self._function).parameters

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """The Python half on NumPy arrays."""
        rows = writes[0].shape[0] if writes[0].ndim else 1
        self._call(np, parameters, reads, writes, part_span(rows, part, parts))

    def library(
        self, module: ModuleType, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], span: slice
    ) -> None:
        """The Python half on the arrays of another module, such as CuPy."""
        self._call(module, parameters, reads, writes, span)

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """What the kit's own reference gives for reads in float64."""
        if self._reference is None:
            raise self._absent()
        function = self._reference
        result = self._guarded(function, reads, self._given(parameters))
        results = tuple(result) if isinstance(result, (tuple, list)) else (result,)
        if len(results) != self.write_count:
            raise self._wrong(function, f"gives {len(results)} arrays, not {self.write_count}")
        arrays = tuple(np.asarray(each) for each in results)
        if any(array.dtype.kind not in "biufc" for array in arrays):
            raise self._wrong(function, "gives something that holds no numbers: it must return the result")
        return arrays

    def _wrong(self, function: Function, what: str) -> DeviceError:
        return DeviceError(f"{_home(function)}the reference of “{self.name}” {what}.")

    def cuda_source(self) -> str:
        """The CUDA source of the kit."""
        return _text(self._folder / self.spec.cuda.partition(":")[0])

    def _call(
        self, module: ModuleType, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], span: slice
    ) -> None:
        if self._function is None:
            raise DeviceError(f"“{self.name}” has only CUDA source: run it on a CUDA device, or give it a Python half")
        arrays = [*reads, *writes]
        if self.spec.split is KernelSplit.ROWS:
            rows = writes[0].shape[0] if writes[0].ndim else 0
            arrays = [array[span] if array.ndim and array.shape[0] == rows else array for array in arrays]
        given = self._given(parameters) | ({"xp": module} if self._takes_xp else {})
        self._guarded(self._function, arrays, given)

    def _given(self, parameters: Parameters) -> dict[str, int | float]:
        return {
            each.name: int(parameters[each.name]) if each.is_whole else parameters[each.name]
            for each in self.parameters
        }

    def _guarded(self, function: Function, arrays: Sequence[Array], given: Mapping[str, object]) -> Any:
        """What the person's function gives. Raises DeviceError with the line of the kit for what that raises."""
        try:
            return function(*arrays, **given)
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            place = _place(error, self._folder) or _home(function)
            raise DeviceError(f"{place}{_said(error)}") from error


def _declared(folder: Path, kit: str) -> dict[str, KernelSpec]:
    """What a kit declares now, by name."""
    path = folder / NAME
    return {spec.name: spec for spec in read_kit(_text(path), kit, str(path))}


def _load(spec: KernelSpec, folder: Path, declared: Mapping[str, KernelSpec]) -> LoadedKernel:
    path, now = folder / NAME, declared.get(spec.name)
    if now is None:
        raise DeviceError(f"“{path}” does not declare the kernel “{spec.name}” any more; take the kit in again.")
    if now != spec:
        raise DeviceError(f"“{path}” says something else of “{spec.name}” than the plan; take the kit in again.")
    return LoadedKernel(spec, folder)


def _function(folder: Path, place: str) -> Function | None:
    if not place:
        return None
    file, _, name = place.partition(":")
    path = folder / file
    function = getattr(_module(path, folder), name, None)
    if not callable(function):
        raise DeviceError(f"“{path}” has no function “{name}”.")
    found: Function = function
    return found


def _module(path: Path, folder: Path) -> ModuleType:
    """The module of a file of a kit; executed anew once any file of the kit's folder is another."""
    seen = _look_of(folder)
    known = _modules.get(path)
    if known is not None and known[0] == seen:
        return known[1]
    _forget(folder)
    name = f"warploom_kit_{path.stem}"
    spec = importlib.util.spec_from_loader(name, loader=None, origin=str(path))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    sys.path.insert(0, str(folder))
    sys.modules[name] = module
    try:
        exec(compile(_text(path), str(path), "exec"), module.__dict__)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        raise DeviceError(f"{_place(error, folder, str(path))}{_said(error)}.") from error
    finally:
        sys.path.remove(str(folder))
    _modules[path] = (seen, module)
    return module


def _look_of(folder: Path) -> object:
    """What tells that a kit was edited: the size and time of each Python file."""
    files = sorted(folder.rglob("*.py"))
    return [(str(file), (found := file.stat()).st_mtime_ns, found.st_size) for file in files]


def _forget(folder: Path) -> None:
    """Drops the modules of a kit, and what any kit imported from beside its files: two may have a file of one name."""
    kits = {folder, *(path.parent for path in _modules)}
    for path in [path for path in _modules if path.is_relative_to(folder)]:
        del _modules[path]
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and any(Path(file).is_relative_to(kit) for kit in kits):
            del sys.modules[name]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise DeviceError(f"“{path}”, which the plan's kit needs, does not exist.", path=str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise DeviceError(f"“{path}”, which the plan's kit needs, cannot be read: {error}.", path=str(path)) from error


def _place(error: BaseException, folder: Path, otherwise: str = "") -> str:
    """File and line of the kit where something was raised, with a colon; innermost of its own files."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"“{error.filename}”, line {error.lineno}: "
    frames: Iterable[traceback.FrameSummary] = reversed(traceback.extract_tb(error.__traceback__))
    for frame in frames:
        if Path(frame.filename).is_relative_to(folder):
            return f"“{frame.filename}”, line {frame.lineno}: "
    return f"“{otherwise}”: " if otherwise else ""


def _home(function: Function) -> str:
    """Where a function of a kit begins, with a colon."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"“{code.co_filename}”, line {code.co_firstlineno}: " if code is not None else ""


def _said(error: BaseException) -> str:
    """The kind of an error and its words, on one line whatever they hold."""
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    plain = "".join(letter if letter.isprintable() else " " for letter in words)
    return f"{type(error).__name__}: {' '.join(plain.split())[:_MOST_LETTERS]}".rstrip(".: ")
