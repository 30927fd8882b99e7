"""Files with something wrong: each is refused in one sentence or makes a valid plan, and leaves nothing behind."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.formats import FORMATS, Format
from engine.session.document import Document
from engine.session.importing import sniff_table
from tests.contracts.test_formats import WRITTEN, saved
from tests.engine.formats.mutations import MUTATIONS, Mutation, mutate
from tests.engine.formats.tables import rich

COPIES = 60
EXAMPLES = [known for known in FORMATS if hasattr(known, "save") or known.SUFFIXES[0] in WRITTEN]

every_example = pytest.mark.parametrize("known", EXAMPLES, ids=lambda known: known.TITLE)


def read_as_a_person_would(path: Path) -> str:
    """Look at a file and open it; the sentence that refuses it, or nothing."""
    refusal = EngineError("", path=str(path))
    try:
        sniff_table(path)
        Document.load(path)
    except EngineError as error:
        refusal = error
    assert "\n" not in refusal.sentence
    assert str(path) in refusal.sentence or refusal.path == str(path)
    return refusal.sentence


@every_example
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_that_each_kind_of_damage_is_refused_or_makes_a_plan(known: Format, mutation: Mutation, tmp_path: Path) -> None:
    path = saved(known, tmp_path)
    whole = path.read_bytes()
    numbers = random.Random(f"{known.TITLE} {mutation.__name__}")
    for _ in range(6):
        path.write_bytes(mutation(whole, numbers))
        read_as_a_person_would(path)
        assert list(tmp_path.iterdir()) == [path]


@every_example
def test_that_damage_of_several_kinds_is_refused_or_makes_a_plan(known: Format, tmp_path: Path) -> None:
    is_ours = known.SUFFIXES[0] == ".loom"
    path = saved(known, tmp_path, None if is_ours else rich())
    whole = path.read_bytes()
    said = set()
    for seed in range(COPIES):
        path.write_bytes(mutate(whole, random.Random(seed)))
        said.add(read_as_a_person_would(path))
    assert len(said) > 1, "no damage was noticed"
