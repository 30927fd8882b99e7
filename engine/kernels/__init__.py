"""What can run on a device: one module a kernel, its CUDA source beside it. No device is opened here."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import CompileError
from engine.kernels.convolve import Convolve
from engine.kernels.declared import DeclaredKernel
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
from engine.model import KernelSpec

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


def find_kernel(name: str, kits: Iterable[KernelSpec] = ()) -> Kernel:
    """The kernel of this name, built in or declared by a kit; a CompileError when there is none."""
    for kernel in KERNELS:
        if kernel.name == name:
            return kernel
    for spec in kits:
        if spec.name == name:
            return DeclaredKernel(spec)
    raise CompileError(f"There is no kernel named “{name}”.")


__all__ = ["KERNELS", "DeclaredKernel", "Kernel", "find_kernel"]
