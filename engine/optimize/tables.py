"""A Problem as compiled functions take it: few tables, one row an operation, mode, link, resource or segment.

It never decides anything: columns are copies of the Problem's arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int64]

# Columns of `operations`; FIRST_MODE, FIRST_IN and FIRST_OUT also have a last row, where the last ones end.
FIRST_MODE, RELEASE, DUE, WEIGHT, FAMILY, BREAKABLE, PIN, PINNED_MODE, NOW, NOW_MODE, FIRST_IN, FIRST_OUT = range(12)
# Columns of `modes`, with a last row for FIRST_USE.
FIRST_USE, DURATION, CALENDAR, COST, MACHINE = range(5)
# Columns of `uses`.
RESOURCE, UNITS = range(2)
# Columns of `links`.
FROM, TO, KIND, LAG, LAG_CALENDAR, MOST, TRANSPORTED = range(7)
# Columns of `resources`, with a last row for FIRST_STEP.
FIRST_STEP, CAPACITY, MATRIX, SETUP, SETUP_CALENDAR = range(5)
# Columns of `steps` and of `segments`.
SINCE, UNTIL, LEVEL = range(3)
# Places in `rules`.
BEGIN, HORIZON = range(2)


class Tables(NamedTuple):
    """Everything int64 and C-contiguous; `into` and `out_of` hold indices of links by successor and by predecessor.

    segments: SINCE, UNTIL, and as LEVEL the work before; calendar c has those at first_segment[c] .. [c+1]-1.
    ties: operations that maximum lags tie together, directly or not, have the same number.
    """

    operations: Column
    modes: Column
    uses: Column
    links: Column
    into: Column
    out_of: Column
    resources: Column
    steps: Column
    first_segment: Column
    segments: Column
    transport: Column
    changeover: Column
    rules: Column
    ties: Column


def table(*columns: NDArray[np.generic]) -> Column:
    """Columns side by side; those that are one row shorter than the first end with a zero."""
    table = np.zeros((len(columns[0]), len(columns)), np.int64)
    for place, column in enumerate(columns):
        table[: len(column), place] = column
    return table
