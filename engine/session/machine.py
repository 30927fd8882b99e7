"""Machine: what is known of the device that runs a plan, and what a person should do about it. It never asks a device.

A warning is a sentence that ends with what to do; it is only made of what the device, the profile and the plan say.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.gpu import is_gpu
from engine.model import Memory, Plan
from engine.process.messages import Hello
from engine.program.profile import DeviceProfile

MOST_CONNECTIONS = 32
FEW_THREADS = 4


@dataclass(frozen=True, slots=True)
class Machine:
    """One device. Texts are empty, and numbers 0, where nothing is known or where there is no such thing."""

    kind: str
    name: str
    engines: tuple[tuple[str, int], ...]
    memory_bytes: int
    driver: str
    connections: int
    profile: str
    source: str
    warnings: tuple[str, ...]


def describe_machine(kind: str, hello: Hello | None, profile: DeviceProfile, plan: Plan | None = None) -> Machine:
    """A device as it said itself (None: its process is not up), the profile that predicts it, and a plan for it."""
    facts = dict(hello.facts) if hello else {}
    connections = facts.get("connections", "")
    return Machine(
        kind=kind,
        name=hello.name if hello else "",
        engines=hello.engines if hello else (),
        memory_bytes=hello.memory_bytes if hello else 0,
        driver=facts.get("driver", ""),
        connections=int(connections) if connections.isdecimal() else 0,
        profile=profile.name,
        source=profile.source,
        warnings=_warnings(hello, profile, plan) if hello else (),
    )


def _warnings(hello: Hello, profile: DeviceProfile, plan: Plan | None) -> tuple[str, ...]:
    found = _gpu_warnings(hello, plan) if is_gpu(hello.kind) else []
    if hello.kind == "cpu":
        found += _processor_warnings(hello)
    if hello.stamps != "simulated" and profile.device != hello.name:
        of = f"was measured on {profile.device}" if profile.device else f"is of a {profile.source}"
        found.append(f"The profile “{profile.name}” {of}, not of this device: calibrate it in the menu Run.")
    return tuple(found)


def _gpu_warnings(hello: Hello, plan: Plan | None) -> list[str]:
    facts, found = dict(hello.facts), []
    connections = int(facts.get("connections", "0"))
    if facts.get("display") == "attached":
        found.append(
            "A display is attached to this GPU, and what the desktop draws delays kernels: run on another GPU, or read"
            " its spans with care."
        )
    if plan is None:
        return found
    streams = len(plan.streams)
    if 0 < connections < streams:
        most = min(streams, MOST_CONNECTIONS)
        found.append(
            f"The plan has {streams} streams, but work reaches this GPU over {connections} connections, so that some"
            f" wait for others: start Warploom with CUDA_DEVICE_MAX_CONNECTIONS={most}, or use fewer streams."
        )
    pageable = [buffer.id for buffer in plan.buffers if buffer.memory is Memory.PAGEABLE]
    if pageable:
        names = ", ".join(pageable[:3]) + ("…" if len(pageable) > 3 else "")
        found.append(f"Copies of pageable memory ({names}) hide behind nothing: make those buffers pinned.")
    return found


def _processor_warnings(hello: Hello) -> list[str]:
    found = []
    governor, threads = dict(hello.facts).get("governor", ""), dict(hello.engines).get("compute", 0)
    if governor in ("powersave", "conservative", "ondemand"):
        found.append(
            f"The processor's governor is “{governor}”, so its clock follows the load and spans vary: choose"
            " “performance” before you compare runs."
        )
    if 0 < threads < FEW_THREADS:
        found.append(
            f"This processor has {threads} thread{'' if threads == 1 else 's'} for kernels, copies and the window"
            " together: close other programs before you compare runs."
        )
    return found
