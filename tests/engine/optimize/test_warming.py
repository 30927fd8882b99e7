"""Warming leaves nothing for a search to compile."""

from engine.optimize.jobshop import relink, tabu, weighing
from engine.optimize.warming import warm


def test_that_warming_compiles_what_a_search_comes_to_late() -> None:
    warm()
    assert all(each.signatures for each in (relink.approach, tabu.search, weighing.search_weighed))
