"""Of how many samples a figure of one row is: words, without a window."""

from dataclasses import replace

from gui.plan_words import instant_text
from gui.sample_words import row_sentence
from tests.gui.gantt.plans import DAY
from tests.gui.gantt.sure import answers_of
from tests.gui.shell import three_days


def test_that_a_p80_says_which_samples_it_rests_on() -> None:
    plan = three_days()
    end = plan.start + 3 * DAY
    found = replace(answers_of(plan, (end, end + DAY), {3: (end, end + DAY)}), count=10_000, row_count=2_048)
    found.row_finish[:] = end
    at = instant_text(plan, end)
    assert row_sentence(plan, found, 0).startswith(f"P80 of “dig” in the first 2,048 of 10,000 samples: {at}.")
    assert row_sentence(plan, found, 2) == f"P80 of “build” in 10,000 samples: {at}"


def test_that_of_few_samples_all_are_kept() -> None:
    plan = three_days()
    found = replace(answers_of(plan, (plan.start, plan.start + DAY)), count=512, row_count=512)
    assert "in 512 samples: " in row_sentence(plan, found, 0)
