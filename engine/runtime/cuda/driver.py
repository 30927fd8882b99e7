"""The way to CUDA: finds CuPy and the driver, and says in a sentence what is missing. It never launches anything."""

from __future__ import annotations

import ctypes
import importlib
import os
from contextlib import suppress
from typing import Any

from engine.errors import DeviceError

LIBRARIES = ("nvcuda.dll",) if os.name == "nt" else ("libcuda.so.1",)


def load_cupy() -> Any:
    """The module cupy, ready for a GPU. Raises DeviceError when there is no driver, no CuPy or no GPU.

    Importing takes seconds, so the driver is asked for first.
    """
    if not has_driver():
        raise DeviceError("There is no NVIDIA driver on this machine; use --device cpu or --device simulated.")
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        raise DeviceError(
            f"A GPU needs CuPy, which is not there ({error}); install cupy-cuda13x, or cupy-cuda12x for CUDA 12."
        ) from error
    check_gpu(cupy)
    return cupy


def has_driver() -> bool:
    """Whether the driver's library can be loaded."""
    for name in LIBRARIES:
        with suppress(OSError):
            ctypes.CDLL(name)
            return True
    return False


def check_gpu(cupy: Any) -> None:
    """Raises DeviceError with the driver's own word when it shows this process no GPU."""
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise DeviceError(f"There is no GPU to use here: {error}.") from error
    if not count:
        raise DeviceError("There is no such GPU on this machine.")
