"""DeviceProfile: the figures of a device that turn work into nanoseconds. It never measures and never runs anything."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from importlib import resources
from importlib.resources.abc import Traversable

from engine.errors import FormatError
from engine.kernels import find_kernel
from engine.kernels.kernel import Cost
from engine.model import MOST_TICKS, Buffer, KernelSpec, Memory, OperationKind, OperationSpec, Plan, TaskId, Ticks
from engine.program.checks import fault_of, kernel_of, nbytes_of, shapes_of


@dataclass(frozen=True, slots=True)
class KernelFigures:
    """How a kernel does on a device: its shares of the peak rates, and the share of the compute lanes it takes."""

    flops_efficiency: float = 0.5
    memory_efficiency: float = 0.5
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class DeviceProfile:
    """Figures of one device. `source` says where they come from, such as "datasheet".

    Rates are per second of one operation alone on the device. A copy from or to a pageable host side gets
    `pageable_factor` of the bandwidth. `steps_per_second` is the rate of steps that each need the one before.
    Lanes say how many operations of an engine go on at once; `kernels` holds what is known of single kernels.
    """

    name: str
    source: str
    copy_in_bytes_per_second: float
    copy_out_bytes_per_second: float
    copy_latency_ns: int
    pageable_factor: float
    launch_latency_ns: int
    flops_per_second: float
    memory_bytes_per_second: float
    steps_per_second: float
    host_flops_per_second: float
    host_bytes_per_second: float
    copy_in_lanes: int
    copy_out_lanes: int
    compute_lanes: int
    host_lanes: int
    memory_bytes: int
    kernels: tuple[tuple[str, KernelFigures], ...] = ()

    @staticmethod
    def from_json(text: str) -> DeviceProfile:
        """Read what to_json wrote; a FormatError in one sentence for anything else."""
        return _read(text)

    def to_json(self) -> str:
        """One JSON object, an entry a field; `kernels` is an object by kernel name."""
        return json.dumps(asdict(self) | {"kernels": {name: asdict(f) for name, f in self.kernels}}, indent=2)

    @property
    def engines(self) -> tuple[tuple[str, int], ...]:
        """Lanes of each engine row."""
        return (
            ("copy_in", self.copy_in_lanes),
            ("compute", self.compute_lanes),
            ("copy_out", self.copy_out_lanes),
            ("host", self.host_lanes),
        )

    def figures(self, kernel: str) -> KernelFigures:
        """What is known of a kernel; half the peak and all lanes when nothing is."""
        return dict(self.kernels).get(kernel, KernelFigures())

    def lanes_taken(self, kind: OperationKind, kernel: str) -> int:
        """How many lanes of its engine an operation takes."""
        if kind.engine != "compute":
            return 1
        return max(1, round(self.figures(kernel).share * self.compute_lanes))


def load_profile(name: str) -> DeviceProfile:
    """A profile that comes with the product, such as cpu-default; a FormatError when there is none of that name."""
    names = profile_names()
    if name not in names:
        raise FormatError(f"There is no device profile named “{name}”; there are {', '.join(names)}.")
    return DeviceProfile.from_json((_folder() / f"{name}.json").read_text(encoding="utf-8"))


def profile_names() -> tuple[str, ...]:
    """The profiles that come with the product, by name."""
    found = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in found if name.endswith(".json")))


def cost_ns(
    profile: DeviceProfile, spec: OperationSpec, buffers: Mapping[str, Buffer], kits: Iterable[KernelSpec] = ()
) -> int:
    """Nanoseconds of an operation alone, 1 to MOST_TICKS; `buffers` by id, `kits` the plan's own kernels.

    Raises CompileError where there is no such kernel.
    """
    return max(1, min(_launch_ns(profile, spec.kind) + work_ns(profile, spec, buffers, kits), MOST_TICKS))


def work_ns(
    profile: DeviceProfile, spec: OperationSpec, buffers: Mapping[str, Buffer], kits: Iterable[KernelSpec] = ()
) -> int:
    """What of the cost keeps an engine busy, 0 to MOST_TICKS: all of it but the latency of a launch."""
    if spec.kind in (OperationKind.COPY_IN, OperationKind.COPY_OUT):
        latency, seconds = profile.copy_latency_ns, nbytes_of(spec, buffers) / _copy_rate(profile, spec, buffers)
    elif spec.kind is OperationKind.COPY_WITHIN:
        latency, seconds = 0, 2 * nbytes_of(spec, buffers) / profile.memory_bytes_per_second
    else:
        latency, seconds = 0, _kernel_seconds(profile, spec, buffers, kits)
    # A nanosecond is the grain: what floats add beyond it must not make one more.
    return min(latency + math.ceil(seconds * 1e9 - 1e-6), MOST_TICKS)


def estimate_durations(plan: Plan, profile: DeviceProfile) -> dict[TaskId, Ticks]:
    """The cost of every operation whose duration nobody typed; operations that could not run are left out."""
    buffers = {buffer.id: buffer for buffer in plan.buffers}
    return {
        task.id: cost_ns(profile, task.operation, buffers, plan.kernels)
        for task in plan.tasks
        if task.operation is not None
        and not task.is_duration_typed
        and not fault_of(task.operation, buffers, plan.kernels)
    }


def _folder() -> Traversable:
    return resources.files("resources") / "profiles"


def _launch_ns(profile: DeviceProfile, kind: OperationKind) -> int:
    """The latency of a launch, which a device hides where it is told early enough. Copies have one of their own."""
    return 0 if kind in (OperationKind.COPY_IN, OperationKind.COPY_OUT) else profile.launch_latency_ns


def _copy_rate(profile: DeviceProfile, spec: OperationSpec, buffers: Mapping[str, Buffer]) -> float:
    is_in = spec.kind is OperationKind.COPY_IN
    rate = profile.copy_in_bytes_per_second if is_in else profile.copy_out_bytes_per_second
    return rate * (profile.pageable_factor if buffers[spec.reads[0]].memory is Memory.PAGEABLE else 1.0)


def _kernel_seconds(
    profile: DeviceProfile, spec: OperationSpec, buffers: Mapping[str, Buffer], kits: Iterable[KernelSpec]
) -> float:
    """Bound by arithmetic, by memory or by the longest chain of dependent steps, whichever takes longest."""
    name = kernel_of(spec)
    kernel = find_kernel(name, kits)
    cost: Cost = kernel.cost(shapes_of(spec, buffers), kernel.complete(spec.parameters))
    if spec.kind is OperationKind.HOST:
        flops, nbytes = profile.host_flops_per_second, profile.host_bytes_per_second
    else:
        figures = profile.figures(name)
        flops = profile.flops_per_second * figures.flops_efficiency
        nbytes = profile.memory_bytes_per_second * figures.memory_efficiency
    return max(cost.flops / flops, cost.nbytes / nbytes, cost.steps / profile.steps_per_second)


# Least and greatest possible figure by the end of a field's name; a device outside them would be a slip of the pen.
_LIMITS = {
    "_per_second": (1e3, 1e18),
    "_latency_ns": (0, 1e12),
    "_lanes": (1, 4096),
    "_bytes": (1, 1e18),
    "_factor": (1e-6, 1),
    "_efficiency": (1e-6, 1),
    "share": (1e-6, 1),
}


def _read(text: str) -> DeviceProfile:
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"This is not a device profile: it is not JSON ({error}).") from error
    values = _object(document, "The profile", [field.name for field in fields(DeviceProfile)])
    kernels = values.pop("kernels")
    if not isinstance(kernels, dict):
        raise FormatError("The device profile's “kernels” must be an object with an entry for each kernel.")
    figures = tuple((str(name), _figures(str(name), entry)) for name, entry in kernels.items())
    strings = {name: _string(name, values[name]) for name in ("name", "source")}
    whole = {field.name for field in fields(DeviceProfile) if field.type == "int"}
    numbers = {name: _number(name, value, name in whole) for name, value in values.items() if name not in strings}
    return DeviceProfile(**strings, **numbers, kernels=figures)  # type: ignore[arg-type]


def _figures(name: str, entry: object) -> KernelFigures:
    keys = [field.name for field in fields(KernelFigures)]
    values = _object(entry, f"The entry of the kernel “{name}”", keys)
    return KernelFigures(*(_number(key, values[key], is_whole=False) for key in keys))


def _object(document: object, what: str, keys: list[str]) -> dict[str, object]:
    if not isinstance(document, dict):
        raise FormatError(f"{what} must be a JSON object.")
    if missing := [key for key in keys if key not in document]:
        raise FormatError(f"{what} lacks “{missing[0]}”.")
    if unknown := [key for key in document if key not in keys]:
        raise FormatError(f"{what} has “{unknown[0]}”, which is not known.")
    return dict(document)


def _string(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise FormatError(f"The device profile's “{name}” must be a text.")
    return value


def _number(name: str, value: object, is_whole: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, int if is_whole else (int, float)):
        raise FormatError(f"The device profile's “{name}” must be a {'whole ' if is_whole else ''}number.")
    least, greatest = next(limits for end, limits in _LIMITS.items() if name.endswith(end))
    if not least <= value <= greatest:
        raise FormatError(f"The device profile's “{name}” is {value}, but must lie from {least:g} to {greatest:g}.")
    return value
