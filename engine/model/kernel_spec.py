"""KernelSpec: what a person's own kernel says of itself, so that plans can be checked and costed. Never its code."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from engine.errors import PlanError
from engine.model.operation_spec import DTYPES, is_beside

_MOST = 1e18


class KernelSplit(Enum):
    """Whether the work can be cut into parts. ROWS: along the first axis of every buffer that has as many rows as the
    first one it writes; the others are handed over whole."""

    NONE = "none"
    ROWS = "rows"


@dataclass(frozen=True, slots=True)
class ParameterSpec:
    """A number a kernel takes: minimum <= value <= maximum, without a fraction when `is_whole`."""

    name: str
    default: float = 0.0
    minimum: float = -1e9
    maximum: float = 1e9
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """A kernel of a kit: a folder `kit` beside the plan. Files are named from there.

    `python` and `reference` are `file.py:function`; `cuda` is `file.cu:entry`; empty where there is none. `reads` and
    `writes` name what it takes, in order. `dtype` is that of all its buffers, or empty: any. `tolerance` is the largest
    error of a right float32 run, as a share of the largest result. Work is given for an item of the first buffer it
    writes.
    """

    name: str
    kit: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    summary: str = ""
    python: str = ""
    cuda: str = ""
    reference: str = ""
    parameters: tuple[ParameterSpec, ...] = ()
    dtype: str = "float32"
    is_one_shape: bool = True
    is_in_place: bool = False
    split: KernelSplit = KernelSplit.NONE
    tolerance: float = 1e-5
    flops_per_item: float = 1.0
    bytes_per_item: float = 8.0

    def check(self) -> None:
        """Raises a PlanError where it cannot be."""
        if fault := self._fault():
            raise PlanError(f"The kernel “{self.name}” of the kit “{self.kit}” cannot be. {fault}")

    def _fault(self) -> str:
        if not self.name.isidentifier():
            return "Its name must be made of letters, digits and underscores, and begin with no digit."
        if not is_beside(self.kit):
            return "Its kit is not a folder beside the plan."
        return self._buffer_fault() or self._file_fault() or self._number_fault() or self._parameter_fault()

    def _buffer_fault(self) -> str:
        names = (*self.reads, *self.writes)
        if not self.writes:
            return "It writes no buffer."
        if strange := [name for name in names if not name.isidentifier()]:
            return f"It calls a buffer “{strange[0]}”: use letters, digits and underscores."
        if len(set(names)) < len(names):
            return "Two of the buffers that it takes have one name."
        if self.dtype and self.dtype not in DTYPES:
            return f"Its buffers have elements of an unknown type, “{self.dtype}”."
        return ""

    def _file_fault(self) -> str:
        if not self.python and not self.cuda:
            return "It names neither a Python function nor a CUDA source."
        for what, place, suffix in (("python", self.python, ".py"), ("cuda", self.cuda, ".cu")):
            if fault := _place_fault(what, place, suffix):
                return fault
        return _place_fault("reference", self.reference, ".py")

    def _number_fault(self) -> str:
        for what, value in (("flops_per_item", self.flops_per_item), ("bytes_per_item", self.bytes_per_item)):
            if not 0 <= value <= _MOST:
                return f"Its {what} is {value:g}, but must lie from 0 to {_MOST:g}."
        if not 0 < self.tolerance <= 1:
            return f"Its tolerance is {self.tolerance:g}, but must be more than 0 and at most 1."
        return ""

    def _parameter_fault(self) -> str:
        names = [parameter.name for parameter in self.parameters]
        for parameter in self.parameters:
            low, value, high = parameter.minimum, parameter.default, parameter.maximum
            if not parameter.name.isidentifier() or names.count(parameter.name) > 1:
                return f"Its parameter “{parameter.name}” needs a name of its own, as Python names things."
            if not (math.isfinite(low) and math.isfinite(high) and low <= value <= high):
                return f"The default of “{parameter.name}” is {value:g}, which is not within {low:g} to {high:g}."
            if parameter.is_whole and not float(value).is_integer():
                return f"The default of “{parameter.name}” is {value:g}, which is no whole number."
        return ""


def _place_fault(what: str, place: str, suffix: str) -> str:
    if not place:
        return ""
    file, colon, function = place.partition(":")
    if not colon or not file.endswith(suffix) or not is_beside(file) or not function.isidentifier():
        return f"Its {what} is “{place}”, but must look like file{suffix}:name, with a file in the kit's folder."
    return ""
