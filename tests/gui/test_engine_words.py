"""Who searches and simulates, as a person reads it."""

from engine.optimize.batch.engines import LISTS, WALKS
from engine.process.sampler import SAMPLES
from engine.process.solver import EXACT
from gui.engine_words import NAMES, engine_name


def test_that_every_engine_has_a_name_that_can_be_translated() -> None:
    own = {"current plan", "priority rules", "tabu search", "activity lists"}
    assert {LISTS, WALKS, SAMPLES, EXACT, *own} == set(NAMES)
    assert [engine_name(name) for name in NAMES] == list(NAMES)  # as they are, without a translation
