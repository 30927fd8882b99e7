"""The verb `devices`: what can run a plan here. It never runs one."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from engine.errors import DeviceError
from engine.gpu import is_gpu
from engine.model import PlanSettings
from engine.process.messages import Hello
from engine.program.profile import load_profile, profile_names
from engine.session.devices import KINDS, Devices
from engine.session.machine import describe_machine
from engine.session.profiles import own_names, own_profile

# Where a device's instants come from, for a person.
STAMPS = {
    "measured": "stamped by the device itself",
    "inferred": "stamps inferred from events around the work",
    "wall": "stamped by the wall clock around the work",
    "simulated": "stamped by a virtual clock (nothing was timed)",
}


def answer() -> tuple[int, object, str]:
    """Exit code, document and text; a kind that does not answer is left out of the list, with why."""
    found, absent = asyncio.run(_ask())
    document = {
        "devices": [_document(hello) for hello in found],
        "absent": [{"kind": kind, "reason": reason} for kind, reason in absent],
    }
    lines = [f"{h.kind:10} {h.name}, {h.memory_bytes / 2**30:.1f} GiB, {STAMPS[h.stamps]}" for h in found]
    return 0, document, "\n".join((*lines, *(f"{kind:10} not here: {reason}" for kind, reason in absent)))


def _document(hello: Hello) -> dict[str, object]:
    """A simulated device has the engines and the memory of the profile that a new plan has; a run brings its own."""
    own = own_profile(hello.kind, hello.name) if hello.stamps != "simulated" else None
    profile = own or load_profile(PlanSettings().profile)
    machine = describe_machine(hello.kind, hello, profile)
    return {
        "kind": hello.kind,
        "name": hello.name,
        "engines": dict(hello.engines),
        "memory_bytes": hello.memory_bytes,
        "stamps": hello.stamps,
        "driver": machine.driver or None,
        "connections": machine.connections or None,
        "profile": {"name": machine.profile, "source": machine.source, "measured": profile.measured or None},
        "warnings": list(machine.warnings),
    } | ({"profiles": [*own_names(), *profile_names()]} if hello.stamps == "simulated" else {})


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
        if any(is_gpu(hello.kind) for hello in found):
            found += await _further_gpus(devices)
    finally:
        await devices.close()
    return found, absent


async def _further_gpus(devices: Devices) -> list[Hello]:
    """The GPUs after the first, each asked in a process of its own, until there is none of a number."""
    further: list[Hello] = []
    with suppress(DeviceError):
        while True:
            kind = f"cuda:{len(further) + 1}"
            further.append(replace(await devices.client(kind).start(), kind=kind))
    return further
