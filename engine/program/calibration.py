"""Calibration: what was measured of a device becomes its DeviceProfile. It never measures and never runs anything.

Every figure is a median of repetitions, of the calmest rounds: what disturbs a device never makes it quicker, and a
busy machine shall not be taken for a slow one. The luckiest repetitions would be no better: durations differ by where
buffers happen to lie, and that is what a run sees. Of what ends before the host has done its own work, the lower
quartile counts: back to back, that work is in the way of most of them. Latency and bandwidth of copies are those with
the least squares of relative errors; a kernel's shares of the peak rates are the best it reached, and its curve leads
from there to what it took.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, inf, log
from statistics import fmean, median, quantiles
from typing import NamedTuple

import numpy as np

from engine.errors import DeviceError
from engine.model import Memory
from engine.program.profile import BOUNDS, Curve, DeviceProfile, KernelFigures, nominal_seconds
from engine.program.trials import Trial
from engine.trace.timeline import ENGINES

# Points of a curve that lie closer than this factor become one.
NEAR = 1.2
# What the host does after each operation takes about so long.
HOST_NS = 200_000
# Rounds of a trial whose typical durations differ by less than this factor were equally calm.
AGREEING = 1.15
_TOGETHER = ("launch", "wake", "crowd")
_COPIES = ("copy_in", "copy_out")
_KINDS = (*_COPIES, "copy_within")


@dataclass(frozen=True, slots=True)
class Measured:
    """A trial that was run: (stream, engine, start_ns, end_ns) of each timed span, in the order of starts."""

    trial: Trial
    spans: tuple[tuple[int, int, int, int], ...]

    @property
    def spread(self) -> float:
        """The middle half of the durations, as a share of the median: small where nothing disturbed them."""
        durations = [end - start for _, _, start, end in self.spans]
        low, _, high = quantiles(durations, n=4) if len(durations) > 1 else (0.0, 0.0, 0.0)
        return (high - low) / median(durations) if median(durations) else 0.0

    @property
    def typical_ns(self) -> float:
        """How long one operation took, typically, at least 1 ns; a DeviceError when nothing ended."""
        if not self.spans:
            raise DeviceError(f"The device ran nothing of the trial “{self.trial.program.name}”: calibrate once more.")
        durations = [end - start for _, _, start, end in self.spans]
        low, middle, _ = quantiles(durations, n=4, method="inclusive") if len(durations) > 1 else durations * 3
        return max(1.0, low if middle < HOST_NS else middle)


def fit_profile(base: DeviceProfile, found: Sequence[Measured]) -> DeviceProfile:
    """The profile of the device on which the trials ran; name, source, lanes, memory and shares are those of `base`."""
    profile = replace(base, reuse=_reuse([each for each in found if each.trial.what == "reuse"]))
    profile = _with_copies(profile, [each for each in found if each.trial.what in _COPIES])
    profile = replace(_with_rates(profile, found), copies=_curves(profile, found))
    kernels, host = (_figures(profile, found, what) for what in ("kernel", "host"))
    profile = replace(profile, kernels=kernels, host_kernels=host)
    kernel_ns, copy_ns = _launches([each for each in found if each.trial.what == "launch"])
    woken_ns = _woken([each for each in found if each.trial.what == "wake"])
    profile = replace(
        profile,
        launch_latency_ns=round(kernel_ns),
        copy_launch_ns=round(copy_ns),
        wake_latency_ns=round(max(0.0, woken_ns - kernel_ns)),
    )
    return _with_contention(profile, list(_factors([each for each in found if each.trial.what == "crowd"])))


def _with_contention(profile: DeviceProfile, factors: Sequence[_Factor]) -> DeviceProfile:
    """What all that are at once share counts for each bound but bytes; what those share who wait for memory comes on
    top of what such a crowd costs the others."""
    others = [each for each in factors if each.bound != "bytes"]
    curves = ((own, _contention((each.at_once, each.log) for each in others if each.bound == own)) for own in BOUNDS)
    shared = replace(
        profile,
        contention=_contention((each.at_once, each.log) for each in others),
        contention_by_bound=tuple((bound, curve) for bound, curve in curves if curve),
    )
    memory = _contention(
        (each.in_memory, max(0.0, each.log - log(shared.slowdown(each.at_once))))
        for each in factors
        if each.bound == "bytes"
    )
    return replace(shared, memory_contention=memory)


def calmest(rounds: Sequence[Sequence[Measured]]) -> list[Measured]:
    """Of several rounds of the same trials the quickest of each: what disturbs a trial never makes it quicker. Rounds
    that agree with it were as calm, and count together: a machine has quicker and slower seconds, and so have runs.

    A later round may be shorter than the first one.
    """
    longest = max(len(each) for each in rounds)
    return [_calmest([each[n] for each in rounds if n < len(each)]) for n in range(longest)]


def _calmest(found: Sequence[Measured]) -> Measured:
    best = min(found, key=lambda each: each.typical_ns)
    if best.trial.what in _TOGETHER:  # it is the spans of one round that belong together
        return best
    agreeing = (each for each in found if each.typical_ns <= AGREEING * best.typical_ns)
    return replace(best, spans=tuple(span for each in agreeing for span in each.spans))


def _with_copies(base: DeviceProfile, found: Sequence[Measured]) -> DeviceProfile:
    """ns = latency + bytes / bandwidth, with one latency and a bandwidth a direction and kind of memory."""
    kinds = sorted({(each.trial.what, each.trial.name) for each in found})
    ns = np.array([each.typical_ns / base.share_at(each.trial.apart) for each in found])
    columns = [
        np.array([each.trial.nbytes * ((each.trial.what, each.trial.name) == kind) for each in found]) for kind in kinds
    ]
    rows = np.stack([np.ones(len(ns)), *columns], axis=1) / ns[:, None]
    latency, *slopes = np.linalg.lstsq(rows, np.ones(len(ns)), rcond=None)[0]
    if latency < 0:
        latency, slopes = 0.0, np.linalg.lstsq(rows[:, 1:], np.ones(len(ns)), rcond=None)[0]
    rates = {kind: 1e9 / max(slope, 1e-9) for kind, slope in zip(kinds, slopes, strict=True)}
    pageable = [min(1.0, rates[what, "pageable"] / rates[what, "pinned"]) for what in _COPIES]
    return replace(
        base,
        copy_in_bytes_per_second=round(rates["copy_in", "pinned"]),
        copy_out_bytes_per_second=round(rates["copy_out", "pinned"]),
        copy_latency_ns=round(latency),
        pageable_factor=fmean(pageable),
    )


def _reuse(found: Sequence[Measured]) -> Curve:
    """What share of its longest time a copy took, by how many bytes were touched between two uses of its buffer."""
    curve = _smoothed((each.trial.apart, each.typical_ns) for each in found)
    return tuple((apart, round(took_ns / curve[-1][1], 4)) for apart, took_ns in curve)


def _curves(profile: DeviceProfile, found: Sequence[Measured]) -> tuple[tuple[str, Curve], ...]:
    """What copies of pinned memory take whose buffers were not used for long, by kind and bytes."""
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for each in found:
        if each.trial.what in _KINDS and each.trial.name == Memory.PINNED.value:
            took_ns = each.typical_ns / profile.share_at(each.trial.apart)
            points[each.trial.what].append((each.trial.nbytes, took_ns))
    return tuple((kind, _smoothed(group)) for kind, group in points.items())


def _with_rates(base: DeviceProfile, found: Sequence[Measured]) -> DeviceProfile:
    """The best rates that any kernel reached, on the device and on the host."""

    def best(what: str, work: Callable[[Trial], float], or_else: float) -> float:
        rates = [work(each.trial) / each.typical_ns * 1e9 for each in found if each.trial.what == what]
        return round(max([rate for rate in rates if rate >= 1e3], default=or_else))

    return replace(
        base,
        flops_per_second=best("kernel", lambda trial: trial.cost.flops, base.flops_per_second),
        memory_bytes_per_second=best("kernel", lambda trial: trial.cost.nbytes, base.memory_bytes_per_second),
        steps_per_second=best("kernel", lambda trial: trial.cost.steps, base.steps_per_second),
        host_flops_per_second=best("host", lambda trial: trial.cost.flops, base.host_flops_per_second),
        host_bytes_per_second=best("host", lambda trial: trial.cost.nbytes, base.host_bytes_per_second),
    )


def _figures(profile: DeviceProfile, found: Sequence[Measured], what: str) -> tuple[tuple[str, KernelFigures], ...]:
    by_name: dict[str, list[Measured]] = defaultdict(list)
    for each in found:
        if each.trial.what == what:
            by_name[each.trial.name].append(each)
    return tuple((name, _figure(profile, name, group, is_host=what == "host")) for name, group in by_name.items())


def _figure(profile: DeviceProfile, name: str, found: Sequence[Measured], *, is_host: bool) -> KernelFigures:
    flops, nbytes = profile.flops_per_second, profile.memory_bytes_per_second
    if is_host:
        flops, nbytes = profile.host_flops_per_second, profile.host_bytes_per_second
    reached = KernelFigures(
        _share(each.trial.cost.flops / each.typical_ns * 1e9 / flops for each in found),
        _share(each.trial.cost.nbytes / each.typical_ns * 1e9 / nbytes for each in found),
        profile.figures(name).share,
    )
    known = replace(profile, kernels=((name, reached),), host_kernels=((name, reached),))
    points: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for each in found:
        nominal = nominal_seconds(known, name, each.trial.cost, is_host=is_host) * 1e9
        points[each.trial.is_chain(known)].append((nominal, each.typical_ns))
    return replace(reached, curve=_smoothed([*_as_a_chain(points[True]), *points[False]]))


def _as_a_chain(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Steps that need each other take as long each, however many there are: a longer chain, which is disturbed for
    sooner, takes no longer a step than a shorter one, whose start counts for more."""
    found: list[tuple[float, float]] = []
    slowest = inf
    for x, y in sorted(points):
        slowest = min(slowest, y / x)
        found.append((x, x * slowest))
    return found


def _share(reached: Iterable[float]) -> float:
    return min(1.0, max(1e-6, *reached))


def _smoothed(points: Iterable[tuple[float, float]]) -> Curve:
    """A curve through points that are near each other's means, and never falls."""
    groups: list[list[tuple[float, float]]] = []
    for point in sorted(points):
        if groups and point[0] < NEAR * groups[-1][0][0]:
            groups[-1].append(point)
        else:
            groups.append([point])
    found: list[tuple[float, float]] = []
    for group in groups:
        x, y = (exp(fmean(log(point[axis]) for point in group)) for axis in (0, 1))
        found.append((float(f"{x:.6g}"), float(f"{max(y, found[-1][1] if found else 0.0):.6g}")))
    return tuple(found)


def _launches(found: Sequence[Measured]) -> tuple[float, float]:
    """What passes between the end of an operation and the start of the next on its stream: a kernel, or a copy."""
    gaps: dict[bool, list[int]] = {True: [0], False: [0]}
    for each in found:
        for (_, _, _, end), (_, engine, start, _) in pairwise(each.spans):
            gaps[engine == ENGINES.index("compute")].append(max(0, start - end))
    return median(gaps[True]), median(gaps[False])


def _woken(found: Sequence[Measured]) -> float:
    """What passes between the end of an operation and the start of one on another stream that slept until then."""
    gaps = [0]
    for each in found:
        goes_on, wakes = ([span for span in each.spans if span[0] == stream] for stream in (0, 1))
        gaps = [max(0, start - end) for (_, _, _, end), (_, _, start, _) in zip(goes_on, wakes, strict=True)]
    return median(gaps)


class _Factor(NamedTuple):
    """The logarithm of how many times as long operations took as alone, of a crowd: what they are bound by, how many
    were at once, and how many of those were bound by bytes."""

    bound: str
    at_once: int
    in_memory: int
    log: float


def _factors(found: Sequence[Measured]) -> Iterator[_Factor]:
    """What became of the operations of each crowd, by engine.

    To take turns takes so many times as long as there are operations: what took longer than that was disturbed.
    """
    alone: dict[tuple[str, int], float] = {}
    for each in found:
        kernel = each.trial.name.partition(" ")[0]
        if each.trial.at_once == 1:
            alone[kernel, each.spans[0][1]] = median(end - start for _, _, start, end in each.spans)
            continue
        begin, end = _together(each)
        bounds = {op.stream: op.bound for op in each.trial.program.operations if op.task in each.trial.timed}
        took: dict[tuple[str, int], list[int]] = defaultdict(list)
        for stream, engine, start, stop in each.spans:
            if start >= begin and stop <= end and (kernel, engine) in alone:
                took[bounds[stream], engine].append(stop - start)
        for (bound, engine), durations in took.items():
            took_as_long = median(durations) / alone[kernel, engine]
            limited = log(min(max(1.0, took_as_long), each.trial.at_once))
            yield _Factor(bound, each.trial.at_once, list(bounds.values()).count("bytes"), limited)


def _contention(factors: Iterable[tuple[int, float]]) -> Curve:
    """How many times as long operations take at once as each did alone: of several crowds, the mean of factors."""
    by_count: dict[int, list[float]] = defaultdict(list)
    for at_once, factor in factors:
        by_count[at_once].append(factor)
    points, slowest = [(1.0, 1.0)], 1.0
    for at_once, logs in sorted(by_count.items()):
        if at_once < 2:
            continue
        slowest = max(slowest, exp(fmean(logs)))
        points.append((float(at_once), round(slowest, 4)))
    return tuple(points) if len(points) > 1 else ()


def _together(each: Measured) -> tuple[int, int]:
    """From when until when all streams of a crowd were at work."""
    streams = {span[0] for span in each.spans}
    starts = [min(span[2] for span in each.spans if span[0] == stream) for stream in streams]
    ends = [max(span[3] for span in each.spans if span[0] == stream) for stream in streams]
    return max(starts), min(ends)
