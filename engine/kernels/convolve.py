"""convolve: a small window of weights slid over a frame, a filter or a denoiser. It never changes the frame's size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.compiled import njit
from engine.kernels.kernel import (
    Array,
    Cost,
    Kernel,
    Parameters,
    Probe,
    Shape,
    only_float32,
    part_span,
    shape_text,
    wide,
)

LARGEST_WINDOW = 31


class Convolve(Kernel):
    """out[y, x] = sum of weights[i, j] * frame[y + i - r, x + j - r]; r is half the window, edge pixels reach outward.

    The weights are not flipped, as image filters are given. Rows of the frame are the units.
    """

    name = "convolve"
    summary = "Filter a frame with a window of weights"
    read_count = 2
    write_count = 1
    # A sum of at most 961 products in order: about 31 half ulps of 6e-8, times five.
    tolerance = 1e-5

    def fits(self, shapes: Sequence[Shape], dtypes: Sequence[str], parameters: Parameters) -> str:
        """A frame (h, w), weights (k, k) with k odd and at most 31, a result (h, w), all float32."""
        frame, window, result = shapes
        if len(frame) != 2 or result != frame:
            return f"It needs a frame and a result of one size, but has {shape_text(frame)} and {shape_text(result)}."
        if len(window) != 2 or window[0] != window[1] or window[0] % 2 == 0 or window[0] > LARGEST_WINDOW:
            return f"Its weights must be square, odd and at most {LARGEST_WINDOW}, but are {shape_text(window)}."
        return only_float32(dtypes)

    def cost(self, shapes: Sequence[Shape], parameters: Parameters) -> Cost:
        """2 k k operations a pixel; the frame moved in and out once."""
        pixels = shapes[0][0] * shapes[0][1]
        taps = shapes[1][0] * shapes[1][1]
        return Cost(2 * taps * pixels, 4 * (2 * pixels + taps))

    def units(self, shapes: Sequence[Shape], parameters: Parameters) -> int:
        """Rows of the frame."""
        return shapes[0][0]

    def cpu(
        self, parameters: Parameters, reads: Sequence[Array], writes: Sequence[Array], part: int, parts: int
    ) -> None:
        """A compiled loop over a run of rows."""
        rows = part_span(reads[0].shape[0], part, parts)
        _filter_rows(reads[0], reads[1], writes[0], rows.start, rows.stop)

    def reference(self, parameters: Parameters, reads: Sequence[Array]) -> tuple[Array, ...]:
        """The frame's rows laid end to end in float64: each row of weights slides along them, and what it gives is
        added up. Where it lay across the end of a row is left out."""
        height, width = reads[0].shape
        weights = wide(reads[1])
        padded = np.pad(wide(reads[0]), len(weights) // 2, mode="edge")
        sums = np.zeros((height - 1) * padded.shape[1] + width)
        for i, row in enumerate(weights):
            sums += np.correlate(padded[i : i + height].reshape(-1), row, mode="valid")
        return (np.lib.stride_tricks.sliding_window_view(sums, width)[:: padded.shape[1]],)

    def scalars(self, shapes: Sequence[Shape], parameters: Parameters) -> tuple[int | float, ...]:
        """Height, width and window."""
        return (*shapes[0], shapes[1][0])

    def width(self, shapes: Sequence[Shape]) -> int:
        """Pixels of a row."""
        return shapes[0][1]

    def warm(self) -> None:
        """Compile the loop."""
        _filter_rows(np.ones((1, 1), np.float32), np.ones((1, 1), np.float32), np.empty((1, 1), np.float32), 0, 1)

    def probes(self) -> tuple[Probe, ...]:
        """Small and large frames, narrow and wide windows."""
        cases = ((16, 3), (64, 5), (128, 11), (256, 5), (256, 11), (720, 5), (720, 11))
        return tuple(Probe(((size, size), (window, window), (size, size))) for size, window in cases)


@njit
def _filter_rows(frame: Array, weights: Array, out: Array, first: int, last: int) -> None:
    """A tap at a time along each row: two edges, and between them a middle cut out so that it is one vector loop."""
    height, width = frame.shape
    radius = weights.shape[0] // 2
    for y in range(first, last):
        out[y, :] = 0
        for i in range(weights.shape[0]):
            source = frame[min(max(y + i - radius, 0), height - 1)]
            for j in range(weights.shape[1]):
                weight = weights[i, j]
                shift = j - radius
                left, right = min(width, max(0, -shift)), max(0, min(width, width - shift))
                out[y, :left] += weight * source[0]
                target, near = out[y, left:right], source[left + shift : right + shift]
                for x in range(target.size):
                    target[x] += weight * near[x]
                out[y, right:] += weight * source[width - 1]
