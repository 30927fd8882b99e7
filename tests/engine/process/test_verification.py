"""Verification: what the reference is asked for when a program was run several times."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.model import Buffer, Fill, FillKind
from engine.process import verification
from engine.process.messages import RunRequest
from engine.process.verification import is_repeatable, verify
from engine.program.operation import Program
from tests import programs
from tests.drawn_programs import programs as drawn_programs
from tests.engine.process.small import program

FIRST = np.linspace(0, 1, 64, dtype=np.float32)


def doubling() -> Program:
    """y = y + y in place, on the device: every iteration finds what the one before left."""
    double = programs.kernel(2, 0, "saxpy", reads=("y", "y"), writes=("y",))
    return programs.program((double, programs.copy_out(3, 0, "y")), (Buffer("y", (64,)),))


def filled_doubling() -> Program:
    """The same on the host side, which has a first content."""
    double = programs.host(1, 0, "saxpy", reads=("y", "y"), writes=("y",))
    return programs.program((double,), (Buffer("y", (64,), fill=Fill(FillKind.SEED, 3)),))


def test_that_iterations_are_alike_unless_one_reads_what_another_wrote() -> None:
    assert is_repeatable(program())
    assert not is_repeatable(doubling())
    assert not is_repeatable(filled_doubling())


def test_that_iterations_are_alike_where_what_runs_once_comes_first() -> None:
    fill, double = replace(programs.memset(1, 0, "y", 1), is_once=True), doubling().operations
    keep = (programs.copy_out(3, 0, "y"),)
    assert is_repeatable(replace(doubling(), operations=(fill, *keep)))
    assert not is_repeatable(replace(doubling(), operations=(fill, *double)))
    assert not is_repeatable(replace(doubling(), operations=(*keep, fill)))


@settings(deadline=None)
@given(drawn_programs(), st.integers(2, 4))
def test_that_iterations_that_are_alike_leave_what_the_first_one_left(one: Program, repeat: int) -> None:
    with programs.kernels(programs.Mix()):
        assume(is_repeatable(one))
        first, all_of_them = (verification.expected_outputs(p, 0) for p in (one, programs.unrolled(one, repeat)))
        for name, (array, _) in first.items():
            np.testing.assert_array_equal(array, all_of_them[name][0])


@pytest.mark.parametrize("repeat", [1, 5])
def test_that_work_in_place_is_compared_after_as_many_iterations_as_were_run(repeat: int) -> None:
    whole = filled_doubling()
    first = verification.expected_outputs(replace(whole, operations=()), 0)["y"][0].astype(np.float32)
    request = RunRequest(1, whole, "", repeat)
    assert verify(request, {"y": first * np.float32(2**repeat)}).is_equal is True
    assert verify(request, {"y": first * np.float32(2 ** (repeat + 1))}).is_equal is False


def test_that_a_reference_that_would_take_too_long_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "REFERENCE_SECONDS", 0.0)
    found = verify(RunRequest(1, filled_doubling(), "", 2), {"y": FIRST})
    assert found.is_equal is None
    assert found.remark.startswith("The results were not compared")
    assert [output.nbytes for output in found.outputs] == [256]


def test_that_nothing_to_compare_is_neither_right_nor_wrong() -> None:
    found = verify(RunRequest(1, replace(program(), outputs=()), ""), {})
    assert (found.outputs, found.is_equal) == ((), None)
