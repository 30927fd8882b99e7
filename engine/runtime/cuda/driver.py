"""The way to CUDA: finds CuPy and the driver, and says in a sentence what is missing. It never launches anything."""

from __future__ import annotations

import importlib
from typing import Any

from engine.errors import DeviceError
from engine.gpu import has_driver, no_driver


def load_cupy() -> Any:
    """The module cupy, ready for a GPU. Raises DeviceError when there is no driver, no CuPy or no GPU.

    Importing takes seconds, so the driver is asked for first.
    """
    if not has_driver():
        raise DeviceError(no_driver("cpu", "simulated"))
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        raise DeviceError(
            f"A GPU needs CuPy, which is not there ({error}); install cupy-cuda13x, or cupy-cuda12x for CUDA 12."
        ) from error
    check_gpu(cupy)
    return cupy


def check_gpu(cupy: Any) -> None:
    """Raises DeviceError with CUDA's own words when it shows this process no GPU."""
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise DeviceError(f"There is no GPU to use here: {error}.") from error
    if not count:
        raise DeviceError("There is no GPU of this number on this machine.")
