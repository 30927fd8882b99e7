"""The questions about batches, asked of sources compiled as C++: what a GPU will be asked can be asked at all."""

from pathlib import Path

import pytest

from tests.batch_check import QUESTIONS
from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build
from tests.shim_launcher import ShimLauncher


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    if COMPILER is None:
        pytest.skip(NO_COMPILER)
    folder: Path = tmp_path_factory.mktemp("questions")
    return Shim(build(folder))


@pytest.mark.parametrize("question", QUESTIONS)
def test_that_a_question_is_answered_with_the_same_numbers(shim: Shim, question: str) -> None:
    found = QUESTIONS[question](ShimLauncher(shim), True)
    assert found.is_right
    assert found.figures["device_per_s"] > 0
    assert "the same numbers" in found.text
