"""What other processes worked of late, as a run."""

from engine.process.solve_messages import Slice
from engine.session.work_log import MOST, WorkLog


def test_that_slices_are_streams_of_a_run_from_the_first_start_on() -> None:
    log = WorkLog()
    assert log.run() is None
    log.add([Slice("tabu search", 1_000, 1_400), Slice("samples", 900, 950), Slice("tabu search", 1_500, 1_700)])
    run = log.run()
    assert run is not None
    assert run.streams == ("samples", "tabu search")
    assert run.stamps == "wall"
    timeline = run.timeline()
    assert timeline.count == 3
    spans = sorted(zip(timeline.stream.tolist(), timeline.start_ns.tolist(), timeline.end_ns.tolist(), strict=True))
    assert spans == [(0, 0, 50), (1, 100, 500), (1, 600, 800)]
    assert run.metrics().span_ns == 800


def test_that_the_log_is_bounded_and_knows_when_it_changed() -> None:
    log = WorkLog()
    log.add(Slice("samples", at, at + 1) for at in range(MOST + 10))
    assert log.count == MOST + 10
    run = log.run()
    assert run is not None
    assert run.timeline().count == MOST
    log.clear()
    assert log.count == MOST + 11
    assert log.run() is None
