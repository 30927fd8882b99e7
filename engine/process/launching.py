"""The launcher of a device by its name, for processes that search or simulate. Programs run in the host alone."""

from __future__ import annotations

import logging
from collections.abc import Callable

from engine.errors import DeviceError
from engine.gpu import has_driver, is_gpu, no_driver
from engine.program.launcher import Launcher

CPU, AUTO = "cpu", "auto"

OpenLauncher = Callable[[str], Launcher | None]

log = logging.getLogger(__name__)


def launcher_for(device: str) -> Launcher | None:
    """None where the processor is to do it all: for "cpu", and for "auto" where no GPU can be used.

    Raises DeviceError for "cuda" without a GPU, and for other names.
    """
    if device == CPU or (device == AUTO and not has_driver()):
        return None
    if not is_gpu(device) and device != AUTO:
        raise DeviceError(f"Nothing is searched or sampled on “{device}”; use --device auto, cpu or cuda.")
    if device != AUTO and not has_driver():
        raise DeviceError(no_driver(CPU))
    if ":" in device:
        raise DeviceError("Batches run on the first GPU that this process sees; use --device cuda.")
    from engine.runtime.cuda import CudaLauncher  # loads CuPy's driver part

    try:
        return CudaLauncher()
    except DeviceError as error:
        if device != AUTO:
            raise
        log.info("batches stay on the processor: %s", error.sentence)
        return None
