"""Which device batches are done on, by its name."""

import pytest

from engine.errors import DeviceError
from engine.gpu import has_driver
from engine.process.launching import launcher_for


def test_that_the_processor_needs_no_launcher() -> None:
    assert launcher_for("cpu") is None


@pytest.mark.skipif(has_driver(), reason="there is a GPU here")
def test_that_without_a_gpu_auto_is_the_processor_and_cuda_is_refused() -> None:
    assert launcher_for("auto") is None
    with pytest.raises(DeviceError, match="no NVIDIA driver") as caught:
        launcher_for("cuda")
    assert caught.value.sentence.endswith("; use --device cpu.")  # the simulated one searches nothing


def test_that_a_driver_without_a_gpu_leaves_auto_on_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> object:
        raise DeviceError("There is no GPU to use here: none.")

    monkeypatch.setattr("engine.process.launching.has_driver", lambda: True)
    monkeypatch.setattr("engine.runtime.cuda.CudaLauncher", refuse)
    assert launcher_for("auto") is None
    with pytest.raises(DeviceError, match="no GPU to use"):
        launcher_for("cuda")


@pytest.mark.parametrize(("device", "words"), [("tpu", "“tpu”; use --device auto"), ("cuda:1", "the first GPU")])
def test_that_other_names_are_refused_with_those_there_are(
    monkeypatch: pytest.MonkeyPatch, device: str, words: str
) -> None:
    monkeypatch.setattr("engine.process.launching.has_driver", lambda: True)
    with pytest.raises(DeviceError) as caught:
        launcher_for(device)
    assert words in caught.value.sentence
