"""DeviceProfile: the figures of a device that turn work into nanoseconds. It never measures and never runs anything.

A kernel's nanoseconds by its shares of the peak rates are its nominal ones; where a device was measured, a curve leads
from those to what was measured. Copies are a latency and a bandwidth.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise

from engine.errors import FormatError
from engine.kernels import find_kernel
from engine.kernels.kernel import Cost
from engine.model import MOST_TICKS, Buffer, KernelSpec, Memory, OperationKind, OperationSpec, Plan, TaskId, Ticks
from engine.program.checks import fault_of, kernel_of, nbytes_of, shapes_of
from engine.program.operation import FAR
from engine.program.reuse import bytes_of

# What an operation may be bound by: a chain of steps that each need the one before, arithmetic, or memory.
BOUNDS = ("steps", "flops", "bytes")
# Points (x, y) in the order of x, both growing: nominal and measured nanoseconds, or operations at once and slowdown.
Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class KernelFigures:
    """How a kernel does on a device: its shares of the peak rates, and the share of the compute lanes it takes.

    `curve` leads from nominal to measured nanoseconds; without one they are the same.
    """

    flops_efficiency: float = 0.5
    memory_efficiency: float = 0.5
    share: float = 1.0
    curve: Curve = ()


@dataclass(frozen=True, slots=True)
class DeviceProfile:
    """Figures of one device. `source` says where they come from, such as "datasheet".

    Rates are per second of one operation alone on the device. A copy from or to a pageable host side gets
    `pageable_factor` of the bandwidth. `steps_per_second` is the rate of steps that each need the one before.
    Lanes say how many operations of an engine go on at once; `kernels` holds what is known of single kernels.

    What measuring adds, and older files lack: `host_kernels` is what is known of kernels as host work. `contention`
    holds (operations at once on all engines, how many times as long each then takes), for a device whose engines share
    processors or memory; `contention_by_bound` the same for operations bound by steps, flops or bytes.
    `memory_contention` holds (operations bound by bytes at once, how many times as long each then takes on top): they
    share the memory, whatever else goes on. `copies` holds
    what copies of bytes took, by kind of operation, instead of latency and bandwidth. `copy_launch_ns` is a copy's
    latency of a launch. `wake_latency_ns` passes before an operation that does not follow at once on the one before it
    on its stream, for it waited for another stream or for a lane: meanwhile its stream slept. `most_at_once` operations
    may be at work on all engines together, as on a processor's threads; where it is 0, lanes alone limit them. `reuse`
    holds (bytes touched from the last use of a copy's buffer until the copy has ended, share of the time that it takes
    where those are many), as on a processor, whose caches hold what was used not long ago.
    `device` and `measured` (an ISO date) say of which device the figures are, and when they were measured; both are
    empty where they were not.
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
    host_kernels: tuple[tuple[str, KernelFigures], ...] = ()
    contention: Curve = ()
    contention_by_bound: tuple[tuple[str, Curve], ...] = ()
    memory_contention: Curve = ()
    copies: tuple[tuple[str, Curve], ...] = ()
    copy_launch_ns: int = 0
    wake_latency_ns: int = 0
    most_at_once: int = 0
    reuse: Curve = ()
    device: str = ""
    measured: str = ""

    @staticmethod
    def from_json(text: str) -> DeviceProfile:
        """Read what to_json wrote; a FormatError in one sentence for anything else."""
        return _read(text)

    def to_json(self) -> str:
        """One JSON object, an entry a field; kernels are objects by kernel name, `copies` is one by kind of copy."""
        kernels = {key: {name: asdict(f) for name, f in getattr(self, key)} for key in _KERNELS}
        curves = {key: dict(getattr(self, key)) for key in _CURVES}
        return json.dumps(asdict(self) | kernels | curves, indent=2)

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

    @property
    def is_shared(self) -> bool:
        """Whether operations that go on at once slow each other down."""
        return bool(self.contention or self.contention_by_bound or self.memory_contention)

    def slowdown(self, at_once: int, bound: str = "", in_memory: int = 0) -> float:
        """How many times as long an operation takes while so many are at work on all engines; at least 1.

        It depends on what the operation is bound by, where that was measured: cores are shared by all, memory by the
        `in_memory` ones that are bound by bytes. Beyond the last point they share what there is: twice as many take
        twice as long.
        """
        curve = dict(self.contention_by_bound).get(bound) or self.contention
        factor = max(1.0, along(curve, at_once)) if at_once > 1 and curve else 1.0
        if bound == "bytes" and in_memory > 1 and self.memory_contention:
            factor *= max(1.0, along(self.memory_contention, in_memory))
        return factor

    def share_at(self, apart: int) -> float:
        """What share of its longest time a copy takes whose buffer was last used so many bytes ago; 1 where that was
        not measured."""
        return min(along(self.reuse, apart), self.reuse[-1][1]) if self.reuse else 1.0

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
    profile: DeviceProfile,
    spec: OperationSpec,
    buffers: Mapping[str, Buffer],
    kits: Iterable[KernelSpec] = (),
    apart: int = FAR,
) -> int:
    """Nanoseconds of an operation alone, 1 to MOST_TICKS; `buffers` by id, `kits` the plan's own kernels, `apart` as of
    an Operation.

    Raises CompileError where there is no such kernel.
    """
    return max(1, min(_launch_ns(profile, spec.kind) + work_ns(profile, spec, buffers, kits, apart), MOST_TICKS))


def work_ns(
    profile: DeviceProfile,
    spec: OperationSpec,
    buffers: Mapping[str, Buffer],
    kits: Iterable[KernelSpec] = (),
    apart: int = FAR,
) -> int:
    """What of the cost keeps an engine busy, 0 to MOST_TICKS: all of it but the latency of a launch."""
    if spec.kind in _COPIES:
        nanoseconds = _copy_ns(profile, spec, buffers) * profile.share_at(apart)
    else:
        nanoseconds = _kernel_seconds(profile, spec, buffers, kits) * 1e9
    # A nanosecond is the grain: what floats add beyond it must not make one more.
    return min(math.ceil(nanoseconds - 1e-6), MOST_TICKS)


def bound_of(
    profile: DeviceProfile, spec: OperationSpec, buffers: Mapping[str, Buffer], kits: Iterable[KernelSpec] = ()
) -> str:
    """What an operation is bound by, of BOUNDS. Raises CompileError where there is no such kernel."""
    if spec.kind in _COPIES:
        return "bytes"
    name = kernel_of(spec)
    kernel = find_kernel(name, kits)
    cost = kernel.cost(shapes_of(spec, buffers), kernel.complete(spec.parameters))
    seconds = _seconds(profile, name, cost, is_host=spec.kind is OperationKind.HOST)
    return max(zip(seconds, BOUNDS, strict=True))[1]


def estimate_durations(plan: Plan, profile: DeviceProfile) -> dict[TaskId, Ticks]:
    """The cost of every operation whose duration nobody typed; operations that could not run are left out.

    Nothing is known of their order yet: copies take as long as where each buffer is used once.
    """
    buffers = {buffer.id: buffer for buffer in plan.buffers}
    apart = bytes_of(plan.buffers)
    return {
        task.id: cost_ns(profile, task.operation, buffers, plan.kernels, apart)
        for task in plan.tasks
        if task.operation is not None
        and not task.is_duration_typed
        and not fault_of(task.operation, buffers, plan.kernels)
    }


def _folder() -> Traversable:
    return resources.files("resources") / "profiles"


def _launch_ns(profile: DeviceProfile, kind: OperationKind) -> int:
    """The latency of a launch, which a device hides where it is told early enough. Copies have one of their own."""
    is_copy = kind in (OperationKind.COPY_IN, OperationKind.COPY_OUT)
    return profile.copy_launch_ns if is_copy else profile.launch_latency_ns


def _copy_ns(profile: DeviceProfile, spec: OperationSpec, buffers: Mapping[str, Buffer]) -> float:
    nbytes, curve = nbytes_of(spec, buffers), dict(profile.copies).get(spec.kind.value, ())
    factor = profile.pageable_factor if buffers[spec.reads[0]].memory is Memory.PAGEABLE else 1.0
    if spec.kind is OperationKind.COPY_WITHIN:
        return along(curve, nbytes) if curve else 2 * nbytes / profile.memory_bytes_per_second * 1e9
    if curve:
        return along(curve, nbytes / factor)  # the latency stays
    is_in = spec.kind is OperationKind.COPY_IN
    rate = profile.copy_in_bytes_per_second if is_in else profile.copy_out_bytes_per_second
    return profile.copy_latency_ns + nbytes / (rate * factor) * 1e9


def _kernel_seconds(
    profile: DeviceProfile, spec: OperationSpec, buffers: Mapping[str, Buffer], kits: Iterable[KernelSpec]
) -> float:
    name = kernel_of(spec)
    kernel = find_kernel(name, kits)
    cost = kernel.cost(shapes_of(spec, buffers), kernel.complete(spec.parameters))
    is_host = spec.kind is OperationKind.HOST
    nominal_ns = nominal_seconds(profile, name, cost, is_host=is_host) * 1e9
    known = dict(profile.host_kernels).get(name) if is_host else profile.figures(name)
    return (along(known.curve, nominal_ns) if known is not None and known.curve else nominal_ns) / 1e9


def nominal_seconds(profile: DeviceProfile, kernel: str, cost: Cost, *, is_host: bool) -> float:
    """The longest chain of dependent steps, and after it arithmetic or memory, whichever takes longer.

    Host work that nothing is known of gets the rates of the host alone.
    """
    steps, flops, nbytes = _seconds(profile, kernel, cost, is_host=is_host)
    return steps + max(flops, nbytes)


def _seconds(profile: DeviceProfile, kernel: str, cost: Cost, *, is_host: bool) -> tuple[float, float, float]:
    """By each of BOUNDS."""
    flops, nbytes = profile.flops_per_second, profile.memory_bytes_per_second
    figures = profile.figures(kernel)
    if is_host:
        flops, nbytes = profile.host_flops_per_second, profile.host_bytes_per_second
        figures = dict(profile.host_kernels).get(kernel, KernelFigures(1.0, 1.0))
    flops, nbytes = flops * figures.flops_efficiency, nbytes * figures.memory_efficiency
    return cost.steps / profile.steps_per_second, cost.flops / flops, cost.nbytes / nbytes


def along(curve: Curve, x: float) -> float:
    """y at x of a curve that is not empty.

    Straight between the points, level before the first, in proportion after the last: what is
    smaller than anything measured takes as long as the smallest, for starting it is all it costs.
    """
    place = bisect_left(curve, (x,))
    if place == 0:
        return curve[0][1]
    (x0, y0) = curve[place - 1]
    if place == len(curve):
        return y0 * x / x0
    (x1, y1) = curve[place]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


# Least and greatest possible figure by the end of a field's name; a device outside them would be a slip of the pen.
_COPIES = (OperationKind.COPY_IN, OperationKind.COPY_OUT, OperationKind.COPY_WITHIN)
_KERNELS = ("kernels", "host_kernels")
_CURVES = {"copies": tuple(kind.value for kind in _COPIES), "contention_by_bound": BOUNDS}
_STRINGS = ("name", "source", "device", "measured")
# Absent from files older than measuring.
_PLAIN_CURVES = ("contention", "memory_contention", "reuse")
_OPTIONAL = (
    "host_kernels",
    *_PLAIN_CURVES,
    *_CURVES,
    "copy_launch_ns",
    "wake_latency_ns",
    "most_at_once",
    "device",
    "measured",
)
_LIMITS = {
    "_per_second": (1e3, 1e18),
    "_latency_ns": (0, 1e12),
    "_launch_ns": (0, 1e12),
    "_lanes": (1, 4096),
    "_at_once": (0, 4096),
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
    names = [field.name for field in fields(DeviceProfile)]
    values = _object(document, "The profile", names, _OPTIONAL)
    kernels = {key: _kernels(key, values.pop(key, {})) for key in _KERNELS}
    plain = {key: _curve(f"The device profile's “{key}”", values.pop(key, [])) for key in _PLAIN_CURVES}
    curves = {key: _named(key, values.pop(key, {})) for key in _CURVES}
    strings = {name: _string(name, values.pop(name, "")) for name in _STRINGS}
    whole = {field.name for field in fields(DeviceProfile) if field.type == "int"}
    numbers = {name: _number(name, value, name in whole) for name, value in values.items()}
    return DeviceProfile(**strings, **numbers, **kernels, **curves, **plain)  # type: ignore[arg-type]


def _named(key: str, entries: object) -> tuple[tuple[str, Curve], ...]:
    found = _object(entries, f"The device profile's “{key}”", [], _CURVES[key])
    return tuple((name, _curve(f"The device profile's “{key}” of “{name}”", points)) for name, points in found.items())


def _kernels(key: str, entries: object) -> tuple[tuple[str, KernelFigures], ...]:
    if not isinstance(entries, dict):
        raise FormatError(f"The device profile's “{key}” must be an object with an entry for each kernel.")
    return tuple((str(name), _figures(str(name), entry)) for name, entry in entries.items())


def _figures(name: str, entry: object) -> KernelFigures:
    what = f"The entry of the kernel “{name}”"
    values = _object(entry, what, [field.name for field in fields(KernelFigures)], ("curve",))
    curve = _curve(f"{what}: its “curve”", values.pop("curve", []))
    return KernelFigures(**{key: _number(key, value, is_whole=False) for key, value in values.items()}, curve=curve)


def _curve(what: str, points: object) -> Curve:
    """Points with both numbers above zero, x growing and y never falling: more work never takes less."""
    if not isinstance(points, list) or not all(isinstance(point, list) and len(point) == 2 for point in points):
        raise FormatError(f"{what} must be a list of points, each of two numbers.")
    if not all(type(number) in (int, float) and 0 < number < 1e18 for point in points for number in point):
        raise FormatError(f"{what} must hold numbers above 0 and below 1e18.")
    if any(x1 <= x0 or y1 < y0 for (x0, y0), (x1, y1) in pairwise(points)):
        raise FormatError(f"{what} must grow from point to point.")
    return tuple((float(x), float(y)) for x, y in points)


def _object(document: object, what: str, keys: list[str], optional: tuple[str, ...] = ()) -> dict[str, object]:
    if not isinstance(document, dict):
        raise FormatError(f"{what} must be a JSON object.")
    if missing := [key for key in keys if key not in document and key not in optional]:
        raise FormatError(f"{what} lacks “{missing[0]}”.")
    if unknown := [key for key in document if key not in (*keys, *optional)]:
        raise FormatError(f"{what} has “{unknown[0]}”, which is not known.")
    return dict(document)


def _string(name: str, value: object) -> str:
    if not isinstance(value, str) or not (value or name in _OPTIONAL):
        raise FormatError(f"The device profile's “{name}” must be a text.")
    return value


def _number(name: str, value: object, is_whole: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, int if is_whole else (int, float)):
        raise FormatError(f"The device profile's “{name}” must be a {'whole ' if is_whole else ''}number.")
    least, greatest = next(limits for end, limits in _LIMITS.items() if name.endswith(end))
    if not least <= value <= greatest:
        raise FormatError(f"The device profile's “{name}” is {value}, but must lie from {least:g} to {greatest:g}.")
    return value
