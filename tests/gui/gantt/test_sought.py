"""Names in order and looked through, whatever letters they are of."""

import random

import numpy as np
import pytest

from gui.gantt import outline
from gui.gantt.outline import Outline
from gui.gantt.sought import Sought
from tests.gui.gantt.plans import frames

LETTERS = "aAbß 1Ωé\U0001f600\ud800z"


def names(seed: int) -> list[str]:
    """Some names, many of which begin alike or are alike."""
    chance = random.Random(seed)
    letters = LETTERS[: chance.randint(1, len(LETTERS))]
    lengths = (0, 1, 3, 7, 8, 12, 13, 25)
    return ["".join(chance.choices(letters, k=chance.choice(lengths))) for _ in range(chance.randint(0, 60))]


@pytest.mark.parametrize("seed", range(60))
def test_that_ranks_are_the_order_of_names_without_capitals(seed: int) -> None:
    some = names(seed)
    folded = [name.casefold() for name in some]
    assert Sought(some).ranks.tolist() == [sorted(folded).index(name) for name in folded]


def test_that_a_name_with_a_zero_byte_takes_no_other_names_place() -> None:
    found = Sought(["b\0c", "a", "c"])
    assert found.ranks.tolist() == [1, 0, 2]
    assert found.holding("c").tolist() == [True, False, True]


@pytest.mark.parametrize("seed", range(20))
def test_that_rows_are_ordered_by_keys_of_any_size_and_then_as_they_stand(seed: int) -> None:
    tree = Outline(frames().plan)
    chance = random.Random(seed)
    least, most = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    keys = np.array([chance.choice((least, -5, 3, 3, most)) for _ in tree.parents], dtype=np.int64)

    def inside(parent: int) -> list[int]:
        rows = [row for row, above in enumerate(tree.parents.tolist()) if above == parent]
        return [each for row in sorted(rows, key=lambda row: (keys[row], row)) for each in (row, *inside(row))]

    assert tree.order(keys).tolist() == inside(-1)


@pytest.mark.parametrize("few", [0, 64])
def test_that_what_lies_in_summaries_is_the_same_marked_one_by_one_and_all_at_once(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outline, "_FEW", few)
    tree = Outline(frames().plan)
    parents = tree.parents.tolist()
    for number in range(1 << len(parents)) if len(parents) < 9 else range(500):
        flags = np.array([number >> row & 1 for row in range(len(parents))], dtype=np.bool_)
        above = [[row] for row in parents]
        for chain in above:
            while chain[-1] >= 0:
                chain.append(parents[chain[-1]])
        assert tree.inside(flags).tolist() == [any(row >= 0 and flags[row] for row in chain) for chain in above]
