"""What an offer comes to, before and after."""

from dataclasses import replace

import numpy as np

from engine.model import Assignment, Resource
from engine.optimize.evaluate import evaluate
from engine.optimize.from_plan import problem_of
from engine.optimize.problem import Solution
from engine.session.document import Document
from engine.session.offers import make_offer
from tests.engine.session.test_solution_edits import two_machines


def test_that_an_offer_says_what_is_paid_and_who_does_a_task_before_and_after() -> None:
    plan = two_machines()
    plan = replace(
        plan, assignments=(*plan.assignments, Assignment(2, 3)), resources=(*plan.resources, Resource(3, "Ann"))
    )
    old, new, ann = plan.resources
    priced = (replace(old, cost_per_hour=10.0), replace(new, cost_per_hour=40.0), ann)
    state = Document(replace(plan, resources=priced)).state
    case = problem_of(state.plan, state.schedule)
    first = case.problem.first_mode
    mode = np.array([first[0], first[1] + 1, first[2], first[3]], np.int32)
    offer = make_offer(state, case, evaluate(case.problem, Solution(mode, np.array([0, 1, 2, 3], np.int32))))
    assert offer is not None
    # Three tasks of 4 hours on the old machine; one of them takes 2 hours on the new one.
    assert (offer.before.cents, offer.after.cents) == (12_000, 16_000)
    shift = next(each for each in offer.shifts if each.task == 2)
    assert (shift.done_by, shift.done_then) == ((1, 3), (2, 3))
