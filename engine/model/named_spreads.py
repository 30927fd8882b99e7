"""Named spreads: a first range for each kind of work, where nobody has a better one. It never looks into a plan.

All are in percent of the planned length. They are starting figures, meant to be replaced by what finished tasks took.
They lean to the late side, since work that is done early is seldom handed over early. Where a source gives ranges, they
are within them: of three-point estimates GAO's schedule guide (GAO-16-89G, table 2) has lows of 60 to 100 % and highs
of 120 to 200 % of the most likely; of software once its design is known 80 to 125 %, once its requirements are known
67 to 150 % (Boehm 1981, McConnell 2006: the cone of uncertainty).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import PlanError
from engine.model.spread import Spread, SpreadKind


@dataclass(frozen=True, slots=True)
class NamedSpread:
    """A spread for a kind of work: `key` stays for good, `name` is shown, `why` is a sentence about its figures."""

    key: str
    name: str
    spread: Spread
    why: str


def _pert(low: float, likely: float, high: float) -> Spread:
    return Spread(SpreadKind.PERT, low, likely, high)


def _open_ended(low: float, middle: float, nine_of_ten: float) -> Spread:
    return Spread(SpreadKind.LOGNORMAL, low, middle, nine_of_ten)


NAMED_SPREADS = (
    NamedSpread(
        "fixed",
        "Set length",
        Spread(SpreadKind.FIXED),
        "What the calendar sets: notice periods, hires, courses. It takes what is planned.",
    ),
    NamedSpread(
        "machine",
        "Machine work",
        _pert(97, 100, 110),
        "A machine that runs a known program: seldom faster, sometimes stopped for a moment.",
    ),
    NamedSpread(
        "routine",
        "Routine work",
        _pert(80, 100, 125),
        "Done many times before: four fifths to five fourths, as where a design is known.",
    ),
    NamedSpread(
        "design",
        "Design and review",
        _pert(67, 100, 150),
        "What is asked for is known, the answer is not: two thirds to one and a half times the plan.",
    ),
    NamedSpread(
        "new",
        "New development",
        _pert(75, 105, 200),
        "Not done before by these people: a little more than planned is likely, twice as much is possible.",
    ),
    NamedSpread(
        "site",
        "Site work",
        _pert(85, 100, 160),
        "Outdoors or in other people's rooms: weather and access make it longer, hardly anything shorter.",
    ),
    NamedSpread(
        "test",
        "Test and fix",
        _open_ended(50, 105, 165),
        "Ends when nothing more is found: half of it a little later than planned, one of ten two thirds later or more.",
    ),
    NamedSpread(
        "delivery",
        "Delivery by others",
        _open_ended(80, 103, 135),
        "Seldom early, often nearly as agreed, and late without a limit: one of ten by a third or more.",
    ),
    NamedSpread(
        "permit",
        "Permits and approvals",
        _open_ended(60, 110, 190),
        "Decided elsewhere: may be quick, and waits without a limit; one of ten takes nearly twice as long or more.",
    ),
)
_BY_KEY = {each.key: each for each in NAMED_SPREADS}


def named_spread(key: str) -> NamedSpread:
    """The one of a key; raises PlanError where there is none."""
    if key not in _BY_KEY:
        raise PlanError(f"There is no range called “{key}”; there are {', '.join(_BY_KEY)}.")
    return _BY_KEY[key]


def name_of(spread: Spread) -> NamedSpread | None:
    """Which of them a spread is, if it is one."""
    return next((each for each in NAMED_SPREADS if each.spread == spread), None)
