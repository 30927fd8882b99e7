"""LookActs: what the actions that choose colors and baselines do, as calls on the looks of a view. It never draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from gui.gantt.coloring import ColorBy
from gui.gantt.looks import Looks

# Other tools count them so too.
BASELINES = range(11)


def look_acts(looks: Looks) -> dict[str, Callable[[], object]]:
    """What each action does, by its id."""
    return {
        **{f"color_{by.value}": partial(looks.color, by) for by in ColorBy},
        "baseline_none": partial(looks.show_baseline, None),
        **{f"baseline_{number}": partial(looks.show_baseline, number) for number in BASELINES},
    }


def chosen(looks: Looks) -> Iterator[str]:
    """The ids of the actions whose choices are in force."""
    yield f"color_{looks.color_by.value}"
    yield "baseline_none" if looks.baseline is None else f"baseline_{looks.baseline}"
