"""fft: the Fourier transform of real signals or of one frame. It has no CUDA source: its GPU half is a library's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType

import numpy as np

from engine.kernels.kernel import Array, Cost, Kernel, Parameter, Parameters, Probe, Shape, part_span, shape_text

LARGEST_FACTOR = 127


class Fft(Kernel):
    """The transform of float32 to complex64: of each row (1 dimension) or of the whole matrix (2 dimensions).

    Rows are the units in 1 dimension. In 2 every output needs every input, so the work is one part.
    """

    name = "fft"
    summary = "Fourier transform"
    read_count = 1
    write_count = 1
    parameters = (Parameter("dimensions", 1, 1, 2, is_whole=True),)
    # float32 transforms are off by about log2(n) half ulps of the root mean square: 1e-6 for the longest, times ten.
    tolerance = 1e-5
    is_library = True

    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """A matrix of float32 to one of complex64 whose transformed lengths have no prime factor above 127."""
        if len(shapes[0]) != 2 or shapes[1] != shapes[0]:
            text = f"{shape_text(shapes[0])} and {shape_text(shapes[1])}"
            return f"It needs a matrix (a row a signal) and a result of the same shape, but has {text}."
        if tuple(dtypes) != ("float32", "complex64"):
            return f"It takes float32 to complex64, not {dtypes[0]} to {dtypes[1]}."
        for length in shapes[0][-int(parameters["dimensions"]) :]:
            if (factor := _factors(length)[-1]) > LARGEST_FACTOR:
                return f"Its length {length} has the prime factor {factor}; the largest it takes is {LARGEST_FACTOR}."
        return ""

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """5 log2(n) operations an element, n the number of elements transformed together."""
        rows, length = shapes[0]
        together = length if parameters["dimensions"] == 1 else rows * length
        return Cost(math.ceil(5 * rows * length * math.log2(max(2, together))), 12 * rows * length)

    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """Rows, or one."""
        return shapes[0][0] if parameters["dimensions"] == 1 else 1

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """The same calls as on a GPU, on NumPy."""
        units = self.units([reads[0].shape], parameters)
        self.library(np, parameters, reads, writes, part_span(units, part, parts))

    def library(
        self, module: ModuleType, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], span: slice
    ) -> None:
        """cupy.fft or numpy.fft, by the module."""
        if parameters["dimensions"] == 1:
            writes[0][span] = module.fft.fft(reads[0][span])
        else:
            writes[0][...] = module.fft.fft2(reads[0])

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """Decimation in time by each prime factor, down to the sum of the definition, in complex128."""
        result = _transform(reads[0].astype(np.complex128))
        if parameters["dimensions"] == 2:
            result = _transform(np.ascontiguousarray(result.T)).T
        return (result,)

    def probes(self) -> tuple[Probe, ...]:
        """Short and long signals, and two whole matrices."""
        signals = ((1, 256), (16, 256), (64, 512), (256, 512), (512, 1024))
        rows = tuple(Probe((shape, shape), dtypes=("float32", "complex64")) for shape in signals)
        whole = Probe(((512, 512),) * 2, (("dimensions", 2),), ("float32", "complex64"))
        return (*rows, whole)


def _transform(signals: Array) -> Array:
    """DFT over the last axis: X[k + m j] = sum over r of exp(-2 pi i r (k + m j) / n) X_r[k], with n = p m."""
    n = signals.shape[-1]
    p = _factors(n)[0]
    m = n // p
    if m == 1:
        k = np.arange(n)
        return np.asarray(signals @ np.exp(-2j * np.pi * np.outer(k, k) / n))
    thinned = np.stack([_transform(signals[..., r::p]) for r in range(p)], axis=-1)
    k, j, r = np.arange(m)[:, None, None], np.arange(p)[None, :, None], np.arange(p)[None, None, :]
    turns = np.exp(-2j * np.pi * r * (k + m * j) / n)
    result: Array = np.einsum("...kr,kjr->...jk", thinned, turns)
    return result.reshape(signals.shape)


def _factors(n: int) -> list[int]:
    """Prime factors in ascending order; [1] for 1."""
    found = []
    p = 2
    while p * p <= n:
        while n % p == 0:
            found.append(p)
            n //= p
        p += 1
    return [*found, n] if n > 1 or not found else found
