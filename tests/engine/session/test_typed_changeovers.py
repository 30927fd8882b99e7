"""Times of set-ups and transport as they are typed, and matrices of them as they are pasted."""

import pytest

from engine.errors import PlanError
from engine.session.typed_changeovers import (
    carried_over,
    headed,
    names_text,
    read_names,
    read_setup,
    read_ticks,
    read_transport,
    setup_text,
    transport_text,
)
from tests.engine.model.strategies import HOUR, office


def test_that_a_number_alone_is_minutes_and_nothing_is_no_set_up() -> None:
    plan = office()
    assert [read_setup(plan, text) for text in ("45", "45m", "1,5h", " ", "1d")] == [2700, 2700, 5400, 0, 8 * HOUR]
    assert [setup_text(plan, ticks) for ticks in (0, 2700, 5400)] == ["", "45m", "90m"]
    with pytest.raises(PlanError, match="“soon” is no time of a set-up"):
        read_setup(plan, "soon")
    with pytest.raises(PlanError, match="worked in the machine's hours"):
        read_setup(plan, "1eh")


def test_that_transport_goes_by_the_clock() -> None:
    assert [read_transport(text) for text in ("20", "1d", "2h")] == [1200, 24 * HOUR, 2 * HOUR]
    assert read_transport(transport_text(24 * HOUR)) == 24 * HOUR
    with pytest.raises(PlanError, match="no time of transport"):
        read_transport("")


def test_that_a_pasted_matrix_with_families_is_read_by_their_names() -> None:
    plan = office()
    grid = (("", "red", "blue"), ("blue", "45", ""), ("red", "", "30m"))
    assert headed(plan, grid) == (("red", "blue"), (("", "30m"), ("45", "")))
    assert headed(plan, (("0", "30"), ("45", "0"))) is None
    with pytest.raises(PlanError, match="need the same families"):
        headed(plan, (("", "red", "blue"), ("red", "", "30m")))
    assert read_ticks(plan, ("red", "blue"), (("", "30m"), ("45", ""))) == ((0, 1800), (2700, 0))
    with pytest.raises(PlanError, match="From “red” to “blue”: “x” is no time"):
        read_ticks(plan, ("red", "blue"), (("", "x"), ("45", "")))


def test_that_times_stay_with_their_families_and_with_one_that_is_renamed() -> None:
    matrix = (("", "1"), ("2", ""))
    assert carried_over(("a", "b"), matrix, ("b", "a", "c")) == (("", "2", ""), ("1", "", ""), ("", "", ""))
    assert carried_over(("a", "b"), matrix, ("a", "c")) == matrix
    assert read_names(" a, b,a ,") == ("a", "b")
    for names in ((), ("a", "b"), ("a, dark", "b"), ("a, dark",)):
        assert read_names(names_text(names)) == names
