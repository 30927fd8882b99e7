"""Links between a plan's leaves as columns, with their lags as the schedule counts them. It never dates one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.model import LagCalendar, Plan
from engine.schedule.clocks import EVER
from engine.schedule.columns import ELAPSED, ELAPSED_PERCENT, PERCENT, WORKING, Column, Flags
from engine.schedule.network import Network, leaf_links
from engine.schedule.wiring import COUNTED, KINDS

_NO_MOST = -(1 << 62)


@dataclass(frozen=True, eq=False, slots=True)
class PlanLinks:
    """One entry a link, in the order of the plan's: rows of its ends, and the link as columns of the schedule's codes.

    `most` is the longest lag, counted as the lag is.
    """

    before: Column
    after: Column
    kind: Column
    amount: Column
    counted: Column
    most: Column

    @staticmethod
    def of(plan: Plan) -> PlanLinks:
        """Those of a plan; a link on a summary stands for all of its leaves."""
        rows = plan.rows
        table = [
            (
                *(rows[before], rows[after], KINDS[link.kind], link.lag.amount, COUNTED[link.lag.kind]),
                _NO_MOST if link.longest is None else link.longest,
            )
            for before, after, link in leaf_links(plan)
        ]
        return PlanLinks(*np.ascontiguousarray(np.array(table, np.int64).reshape(-1, 6).T))

    def only(self, chosen: Flags) -> PlanLinks:
        """Some of them."""
        columns = (self.before, self.after, self.kind, self.amount, self.counted, self.most)
        return PlanLinks(*(column[chosen] for column in columns))

    @property
    def has_most(self) -> Flags:
        """Whether each has a longest lag."""
        has_most: Flags = self.most != _NO_MOST
        return has_most

    @property
    def is_of_length(self) -> Flags:
        """Whether each would have another lag if its predecessor lasted otherwise."""
        of_length: Flags = self.counted >= PERCENT
        return of_length

    @property
    def is_by_clock(self) -> Flags:
        """Whether each has a lag that a calendar counts."""
        by_clock: Flags = ((self.amount != 0) | self.has_most) & ((self.counted == WORKING) | (self.counted == PERCENT))
        return by_clock

    def lags(self, amount: Column, network: Network, *, is_most: bool = False) -> tuple[Column, Column]:
        """Amounts in ticks, percentages rounded down, and the number of the working time that counts each.

        A shortest lag of nothing needs none; a longest one of nothing may last a night, by whose hours it is counted.
        """
        nodes = network.nodes
        ticks = np.where(self.counted >= PERCENT, nodes.duration[self.before] * amount // 100, amount)
        kind = network.plan.settings.lag_calendar
        number = network.clocks.lag_number(kind)
        if number is None:
            clock = nodes.lag_calendar[self.after if kind is LagCalendar.SUCCESSOR else self.before]
        else:
            clock = np.full(len(ticks), number, np.int64)
        is_elapsed = (self.counted == ELAPSED) | (self.counted == ELAPSED_PERCENT)
        is_elapsed |= (self.counted == PERCENT) & (nodes.calendar[self.before] == EVER)
        return ticks, np.where(is_elapsed if is_most else is_elapsed | (ticks == 0), EVER, clock)
