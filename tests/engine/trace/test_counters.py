"""Counter samples: kept in order, without overlap, in bounded memory."""

from itertools import pairwise

from engine.trace import counters
from engine.trace.counters import Counters, Sample, Track

UNITS = (("Power", "W"), ("Utilization", "%"))


def test_that_every_counter_has_a_track_also_before_its_first_sample() -> None:
    found = Counters(UNITS)
    found.add([Sample("Power", 0, 10, 7.0), Sample("unknown", 0, 10, 1.0)])
    power, utilization = found.tracks
    assert (power.name, power.unit, power.last, power.top) == ("Power", "W", 7.0, 7.0)
    assert (utilization.samples, utilization.last, utilization.top) == ((), None, 100.0)


def test_that_counters_may_be_announced_later_and_only_once() -> None:
    found = Counters()
    found.announce(UNITS)
    found.add([Sample("Power", 0, 10, 7.0)])
    found.announce(UNITS)
    assert [len(track.samples) for track in found.tracks] == [1, 0]


def test_that_a_sample_that_reaches_back_over_the_one_before_is_cut() -> None:
    found = Counters(UNITS)
    found.add([Sample("Power", 0, 1000, 1.0), Sample("Power", 200, 1200, 2.0), Sample("Power", 900, 1200, 3.0)])
    assert found.tracks[0].samples == (Sample("Power", 0, 1000, 1.0), Sample("Power", 1000, 1200, 2.0))


def test_that_a_long_run_keeps_no_more_than_so_many_samples_and_their_mean() -> None:
    found = Counters(UNITS)
    count = 3 * counters.MOST_SAMPLES
    found.add(Sample("Power", 10 * n, 10 * n + 10, float(n % 2)) for n in range(count))
    samples = found.tracks[0].samples
    assert len(samples) <= counters.MOST_SAMPLES
    assert (samples[0].start_ns, samples[-1].end_ns) == (0, 10 * count)
    assert all(one.end_ns == other.start_ns for one, other in pairwise(samples))
    mean = sum(s.value * (s.end_ns - s.start_ns) for s in samples) / (10 * count)
    assert abs(mean - 0.5) < 1e-9


def test_that_what_touches_a_stretch_of_time_is_found() -> None:
    track = Track("Power", "W", tuple(Sample("Power", 10 * n, 10 * n + 10, n) for n in range(5)))
    assert [sample.value for sample in track.between(15, 30)] == [1, 2]
