"""The CUDA device: a GPU through CuPy. Nothing here is imported before a device process opens it."""

from __future__ import annotations

from engine.runtime.cuda.device import CudaDevice
from engine.runtime.cuda.launching import CudaLauncher

__all__ = ["CudaDevice", "CudaLauncher"]
