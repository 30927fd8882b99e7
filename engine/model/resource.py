"""Resource and Assignment: who or what does a task. Never when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ResourceKind(Enum):
    """A person or crew, a material, a machine, or a stream of a device."""

    WORK = "work"
    MATERIAL = "material"
    MACHINE = "machine"
    STREAM = "stream"


@dataclass(frozen=True, slots=True)
class Resource:
    """Something tasks are assigned to. `capacity` is in units that can be used at one instant."""

    id: int
    name: str
    kind: ResourceKind = ResourceKind.WORK
    capacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task uses `units` of a resource. A task of a device plan has exactly one stream."""

    task: int
    resource: int
    units: float = 1.0
