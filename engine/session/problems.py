"""Problems: what in a plan's dates needs a person: the tasks of a cycle, and each conflict. It never mends one."""

from __future__ import annotations

from engine.schedule import cycles
from engine.schedule.conflicts import Conflict
from engine.schedule.shop_conflicts import find_shop_conflicts
from engine.session.state import State

CYCLE = "cycle"


def problems(state: State) -> tuple[Conflict, ...]:
    """The cycle that the plan is dated without, if there is one, then the conflicts in row order, those of a
    shop floor after those of dates.

    May take a while on a large plan the first time it is asked of a state; any thread may ask.
    """
    cycle, found = state.schedule.cycle, (*state.schedule.conflicts, *find_shop_conflicts(state.schedule))
    return (Conflict(cycle[0], CYCLE, cycle, cycle_sentence(state)), *found) if cycle else found


def cycle_sentence(state: State) -> str:
    """Which tasks wait for each other, empty when none do."""
    cycle = state.schedule.cycle
    return cycles.named(state.plan, cycle).sentence if cycle else ""
