"""The CUDA sources, compiled as C++ by whoever started this, on the inputs of the kernel contract and small batches.

It runs inside of a sanitizer, which ends it with its own exit code and a report on stderr; it never loads one itself.
"""

import sys
from pathlib import Path

from tests.batches import BATCHES
from tests.contracts.test_kernels import PAIRS, are_equal, expected, inputs, outputs
from tests.cuda_shim import Shim
from tests.shim_launcher import ShimLauncher


def main(library: str, *names: str) -> int:
    """Runs each kernel, or those named, whole and in parts; 1 when a result is wrong."""
    shim, count = Shim(Path(library)), 0
    for kernel, shapes, parameters in (pair.values for pair in PAIRS if not pair.values[0].is_library):
        if names and kernel.name not in names:
            continue
        reads = inputs(kernel, shapes)
        wanted, error = expected(kernel, shapes, parameters, reads)
        for parts in sorted({1, min(3, kernel.units(shapes, parameters))}):
            writes = outputs(kernel, shapes)
            shim.run(kernel, parameters, reads, writes, parts)
            count += 1
            if not are_equal(writes, wanted, error):
                sys.stderr.write(f"{kernel.name} is wrong in {parts} parts\n")
                return 1
    for name, are_right in BATCHES.items():
        if names and name not in names:
            continue
        count += 1
        if not are_right(ShimLauncher(shim)):
            sys.stderr.write(f"{name} is wrong\n")
            return 1
    print(f"{count} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
