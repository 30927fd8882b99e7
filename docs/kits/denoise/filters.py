"""The functions of the kit: they get what they read, then what they write, then the parameters by name.

`xp` is NumPy on the processor and CuPy on a GPU. They write into the arrays that they are given.
"""

import numpy as np


def soften(frame, out, *, radius, xp):
    padded = xp.pad(frame, radius, mode="edge")
    out[:] = 0
    for down in range(2 * radius + 1):
        for right in range(2 * radius + 1):
            out += padded[down : down + out.shape[0], right : right + out.shape[1]]
    out /= (2 * radius + 1) ** 2


def sharpen(frame, soft, out, *, amount, xp):
    xp.subtract(frame, soft, out=out)
    out *= xp.float32(amount)
    out += frame


# The references work in float64, and in another way, so that a slip in one is not a slip in both.


def soften_plainly(frame, *, radius):
    side = 2 * radius + 1
    rows = np.cumsum(np.pad(frame, ((radius + 1, radius), (radius, radius)), mode="edge"), axis=0)
    rows = rows[side:] - rows[:-side]
    sums = np.cumsum(np.pad(rows, ((0, 0), (1, 0))), axis=1)
    return (sums[:, side:] - sums[:, :-side]) / side**2


def sharpen_plainly(frame, soft, *, amount):
    return (1 + amount) * frame - amount * soft
