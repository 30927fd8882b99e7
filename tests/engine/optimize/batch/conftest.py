"""The CUDA sources as C++, built once for the tests of this folder."""

import pytest

from tests.cuda_shim import COMPILER, NO_COMPILER, Shim, build


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Shim:
    if COMPILER is None:
        pytest.skip(NO_COMPILER)
    return Shim(build(tmp_path_factory.mktemp("batches")))
