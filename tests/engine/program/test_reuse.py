"""How far apart the uses of a copied buffer are, by hand."""

from engine.model import Buffer, Fill, FillKind
from engine.program.compiler import compile_plan
from engine.program.profile import estimate_durations, load_profile
from engine.program.reuse import bytes_apart, bytes_of
from engine.schedule.cpm import schedule
from tests.engine.program.plans import copy_in, copy_out, kernel
from tests.engine.program.planted import ITEMS, good, one_buffer

SIDE = 400
BUFFERS = {name: Buffer(name, (100,), fill=Fill(FillKind.SEED, 1)) for name in ("a", "b", "c")}


def test_that_what_was_not_used_before_is_as_far_as_all_buffers_are_large() -> None:
    specs = [copy_in("a"), kernel("tanh", ["a"], ["b"]), copy_out("b")]
    assert bytes_of(BUFFERS.values()) == 6 * SIDE
    # "c" is not used: two sides of two buffers. The host side of what is copied out was filled long ago.
    assert bytes_apart(specs, BUFFERS) == [4 * SIDE] * 3


def test_that_a_copy_of_what_was_just_used_is_its_own_bytes_apart_and_grows_with_what_lies_between() -> None:
    specs = [copy_in("a"), copy_in("a"), copy_in("b"), copy_in("a")]
    assert bytes_apart(specs, BUFFERS) == [4 * SIDE, 2 * SIDE, 4 * SIDE, 4 * SIDE]
    far = [copy_in("a"), copy_in("b"), copy_in("c"), copy_in("b")]
    assert bytes_apart(far, BUFFERS)[-1] == 4 * SIDE


def test_that_a_program_says_it_of_its_copies() -> None:
    profile = load_profile("h200-like")
    side, found = 4 * ITEMS, {}
    for make in (good, one_buffer):
        plan = make()
        one = compile_plan(plan, schedule(plan, estimate_durations(plan, profile)), profile)
        found[make] = [op.apart for op in one.operations if op.engine == "copy_in"]
    assert set(found[good]) == {2 * 12 * side}
    assert found[one_buffer][0] == 2 * 7 * side
    assert max(found[one_buffer][1:]) <= 6 * side
