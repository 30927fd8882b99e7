"""Names of GPUs, and what their processes find in the environment."""

import pytest

from engine.gpu import environment, is_gpu


@pytest.mark.parametrize(("name", "found"), [("cuda", True), ("cuda:0", True), ("cuda:12", True), ("cuda:", False)])
def test_that_a_gpu_is_named_by_its_number(name: str, found: bool) -> None:
    assert is_gpu(name) is found
    assert not is_gpu(name.replace("cuda", "cpu"))


def test_that_a_process_sees_its_own_gpu_alone() -> None:
    streams = {"CUDA_DEVICE_MAX_CONNECTIONS": "32"}
    assert environment("cuda:2", {}) == {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": "2", **streams}
    assert environment("cuda", {}) == streams
    assert environment("cuda", {"CUDA_DEVICE_MAX_CONNECTIONS": "16"}) == {"CUDA_DEVICE_MAX_CONNECTIONS": "16"}
    assert environment("cpu", {}) == {}


@pytest.mark.parametrize(("name", "shown"), [("cuda:0", "GPU-7f"), ("cuda:1", "3"), ("cuda:2", "-1")])
def test_that_numbers_count_among_the_gpus_that_are_left_visible(name: str, shown: str) -> None:
    assert environment(name, {"CUDA_VISIBLE_DEVICES": "GPU-7f,3"})["CUDA_VISIBLE_DEVICES"] == shown
