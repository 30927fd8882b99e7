"""What a benchmark keeps of its results: what is there is not measured anew, whatever cut the file off."""

from pathlib import Path

from tests.bench._results import Result, Results

OURS, EXACT, LATER = ("ft06", 1.0, "ours"), ("ft06", 1.0, "CP-SAT"), ("ft06", 10.0, "ours")


def test_that_what_was_stopped_goes_on_and_what_begins_anew_does_not(tmp_path: Path) -> None:
    file = tmp_path / "cache" / "results.csv"
    with Results(file, goes_on=True) as results:
        results.put(OURS, Result(55, 0.25))
        results.put(EXACT, Result(None, 0.0))
        assert len(file.read_text(encoding="utf-8").splitlines()) == 2  # there before anything is closed
    with file.open("a", encoding="utf-8") as lines:
        lines.write("ft06,10.0,ou")
    with Results(file, goes_on=True) as results:
        assert (results.get(OURS), results.get(EXACT)) == (Result(55, 0.25), Result(None, 0.0))
        assert results.get(LATER) is None
        results.put(LATER, Result(55, 0.1))
    with Results(file, goes_on=True) as results:
        assert results.get(LATER) == Result(55, 0.1)
    with Results(file, goes_on=False) as results:
        assert results.get(OURS) is None


def test_that_without_a_file_nothing_is_kept() -> None:
    with Results(None, goes_on=True) as results:
        results.put(OURS, Result(55, 0.25))
