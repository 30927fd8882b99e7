"""kit.toml: the kernels of a person's own, as a kit's folder declares them. It reads text and never runs what it names.

[blur]                              # the kernel's name
summary = "3 x 3 blur of a frame"
python = "filters.py:blur"          # a function over NumPy or CuPy arrays
cuda = "blur.cu:blur"               # and/or a __global__ function
reference = "filters.py:blur_plain" # what a right run gives, in float64
reads = ["frame"]
writes = ["out"]
[blur.parameters.radius]
default = 1
minimum = 0
maximum = 8
whole = true
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from engine.errors import EngineError, FormatError
from engine.kernels import KERNELS
from engine.model import KernelSpec, KernelSplit, ParameterSpec

NAME = "kit.toml"

_TEXT = {"summary", "python", "cuda", "reference", "dtype"}
_NAMES = {"reads", "writes"}
_TRUTHS = {"one_shape": "is_one_shape", "in_place": "is_in_place"}
_NUMBERS = {"tolerance", "flops_per_item", "bytes_per_item"}
_KEYS = (*sorted(_TEXT | _NAMES | _NUMBERS | _TRUTHS.keys()), "split", "parameters")
_PARAMETER_KEYS = ("default", "minimum", "maximum", "whole")


def read_kit(text: str, kit: str, path: str) -> tuple[KernelSpec, ...]:
    """The kernels of a kit named `kit` (its folder beside the plan), in the order of the file at `path`.

    Raises FormatError with the path and, where TOML knows it, the line.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"“{path}” is not TOML: {error}.", path=path) from error
    try:
        found = tuple(_kernel(kit, name, entry) for name, entry in document.items())
        for spec in found:
            spec.check()
    except EngineError as error:
        raise FormatError(f"“{path}”: {error.sentence}", path=path) from error
    if not found:
        raise FormatError(f"“{path}” declares no kernel: give it a table such as [blur].", path=path)
    return found


def _kernel(kit: str, name: str, entry: object) -> KernelSpec:
    what = f"the kernel “{name}”"
    values = _table(entry, what, _KEYS)
    if any(kernel.name == name for kernel in KERNELS):
        raise FormatError(f"The name “{name}” is that of a kernel that is built in: choose another.")
    chosen: dict[str, object] = {}
    for key, value in values.items():
        if key in _TEXT:
            chosen[key] = _as(str, value, what, key)
        elif key in _NAMES:
            chosen[key] = tuple(_as(str, each, what, key) for each in _as(list, value, what, key))
        elif key in _TRUTHS:
            chosen[_TRUTHS[key]] = _as(bool, value, what, key)
        elif key in _NUMBERS:
            chosen[key] = _number(value, what, key)
        elif key == "split":
            chosen[key] = _split(value, what)
        else:
            chosen[key] = tuple(_parameter(what, *each) for each in _as(dict, value, what, key).items())
    if "writes" not in chosen:
        raise FormatError(f"{_upper(what)} lacks “writes”, the names of the buffers that it writes.")
    return KernelSpec(name=name, kit=kit, **{"reads": (), **chosen})  # type: ignore[arg-type]


def _parameter(what: str, name: str, entry: object) -> ParameterSpec:
    what = f"the parameter “{name}” of {what}"
    values = _table(entry, what, _PARAMETER_KEYS)
    usual = ParameterSpec(name)
    is_whole = _as(bool, values.get("whole", False), what, "whole")
    low, high = (_number(values.get(key, getattr(usual, key)), what, key) for key in ("minimum", "maximum"))
    default = _number(values.get("default", min(max(0.0, low), high)), what, "default")
    return ParameterSpec(name, default, low, high, is_whole)


def _table(entry: object, what: str, keys: tuple[str, ...]) -> Mapping[str, object]:
    if not isinstance(entry, dict):
        raise FormatError(f"{_upper(what)} must be a table.")
    for key in entry:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            hint = f"did you mean “{near[0]}”?" if near else f"known are {', '.join(keys)}."
            raise FormatError(f"{_upper(what)} has “{key}”, which is not known; {hint}")
    return entry


def _split(value: object, what: str) -> KernelSplit:
    names = [split.value for split in KernelSplit]
    if value not in names:
        raise FormatError(f"{_upper(what)} has “split” {value!r}; it is one of {', '.join(names)}.")
    return KernelSplit(value)


def _number(value: object, what: str, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FormatError(f"{_upper(what)} has “{key}” {value!r:.40}, which must be a number.")
    return float(value)


def _as(kind: type, value: object, what: str, key: str) -> Any:
    if type(value) is not kind:
        words = {str: "a text", bool: "true or false", list: "a list of names", dict: "a table"}
        raise FormatError(f"{_upper(what)} has “{key}” {value!r:.40}, which must be {words[kind]}.")
    return value


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]
