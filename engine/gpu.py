"""Whether a GPU can be asked for here at all, and which one a name means. It never touches one."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache

DRIVERS = ("nvcuda.dll",) if os.name == "nt" else ("libcuda.so.1",)
# CUDA's own limit; without it, eight.
MOST_CONNECTIONS = "32"
NAME = re.compile(r"cuda(?::(\d{1,3}))?")


@cache
def has_driver() -> bool:
    """Whether NVIDIA's driver can be loaded. It holds no device and starts nothing."""
    for name in DRIVERS:
        with suppress(OSError):
            ctypes.CDLL(name)
            return True
    return False


def no_driver(*others: str) -> str:
    """The sentence where a GPU is wanted and none can be had: what can be named instead."""
    named = " or ".join(f"--device {other}" for other in others)
    return f"There is no NVIDIA driver on this machine; use {named}."


def is_gpu(kind: str) -> bool:
    """Whether a device of this name is a GPU: "cuda" is the first, "cuda:N" the one of number N."""
    return NAME.fullmatch(kind) is not None


def environment(kind: str, inherited: Mapping[str, str]) -> dict[str, str]:
    """What the process of a device must find in its environment so that it sees its own GPU and no other.

    N counts as nvidia-smi does, among the GPUs that `inherited` leaves visible, if it says so.
    """
    found = NAME.fullmatch(kind)
    if found is None:
        return {}
    # Streams beyond the connections wait for each other; it is read once, when CUDA starts.
    connections = {"CUDA_DEVICE_MAX_CONNECTIONS": inherited.get("CUDA_DEVICE_MAX_CONNECTIONS", MOST_CONNECTIONS)}
    if found[1] is None:
        return connections
    visible = [name for name in inherited.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    number = int(found[1])
    # A name that no GPU has shows none.
    chosen = visible[number] if number < len(visible) else "-1" if visible else str(number)
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": chosen, **connections}
