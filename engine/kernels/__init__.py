"""What can run on a device: one module a kernel, its CUDA source beside it. No device is opened here."""

from __future__ import annotations

from engine.errors import CompileError
from engine.kernels.convolve import Convolve
from engine.kernels.fft import Fft
from engine.kernels.kernel import Kernel
from engine.kernels.matmul import Matmul
from engine.kernels.memset import Memset
from engine.kernels.particles import Particles
from engine.kernels.reduce import Reduce
from engine.kernels.saxpy import Saxpy
from engine.kernels.spin import Spin
from engine.kernels.tanh import Tanh
from engine.kernels.tanh_gradient import TanhGradient

KERNELS: tuple[Kernel, ...] = (
    Convolve(),
    Fft(),
    Matmul(),
    Memset(),
    Particles(),
    Reduce(),
    Saxpy(),
    Spin(),
    Tanh(),
    TanhGradient(),
)


def find_kernel(name: str) -> Kernel:
    """The kernel of this name; a CompileError when there is none."""
    for kernel in KERNELS:
        if kernel.name == name:
            return kernel
    raise CompileError(f"There is no kernel named “{name}”.")


__all__ = ["KERNELS", "Kernel", "find_kernel"]
