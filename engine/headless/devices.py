"""The verb `devices`: what can run a plan here. It never runs one."""

from __future__ import annotations

import asyncio

from engine.errors import DeviceError
from engine.process.messages import Hello
from engine.session.devices import KINDS, Devices


def answer() -> tuple[int, object, str]:
    """Exit code, document and text; a kind that does not answer is left out of the list, with why."""
    found, absent = asyncio.run(_ask())
    document = {
        "devices": [
            {
                "kind": hello.kind,
                "name": hello.name,
                "engines": dict(hello.engines),
                "memory_bytes": hello.memory_bytes,
                "stamps": hello.stamps,
            }
            for hello in found
        ],
        "absent": [{"kind": kind, "reason": reason} for kind, reason in absent],
    }
    lines = [f"{h.kind:10} {h.name}, {h.memory_bytes / 2**30:.1f} GiB, stamps: {h.stamps}" for h in found]
    return 0, document, "\n".join((*lines, *(f"{kind:10} not here: {reason}" for kind, reason in absent)))


async def _ask() -> tuple[list[Hello], list[tuple[str, str]]]:
    devices = Devices()
    found: list[Hello] = []
    absent: list[tuple[str, str]] = []
    try:
        for kind in KINDS:
            try:
                found.append(await devices.client(kind).start())
            except DeviceError as error:
                absent.append((kind, error.sentence))
    finally:
        await devices.close()
    return found, absent
