"""What is said of a device, and each warning with what to do about it."""

from dataclasses import replace

import pytest

from engine.model import Memory
from engine.process.messages import Hello
from engine.program.profile import load_profile
from engine.session.machine import describe_machine
from tests.engine.program.plans import copy_in, device_plan, seeded

PROFILE = load_profile("cpu-default")
ENGINES = (("copy_in", 1), ("compute", 16), ("copy_out", 1), ("host", 1))
CPU = Hello("cpu", "Some CPU", "wall", ENGINES, 8 << 30)
GPU = Hello("cuda", "NVIDIA H200", "measured", (("copy_in", 1), ("compute", 132)), 141 << 30, (("connections", "8"),))
MINE = replace(PROFILE, name="mine", source="measured on Some CPU", device="Some CPU", measured="2026-01-01T00:00")
OF_GPU = replace(MINE, device="NVIDIA H200")


def plan(streams: int = 2, memory: Memory = Memory.PINNED):
    return device_plan([("in", copy_in("x"), 0)], buffers=[replace(seeded("x"), memory=memory)], streams=streams)


def test_that_a_device_is_described_by_what_it_said_and_its_profile() -> None:
    gpu = replace(GPU, facts=(("connections", "8"), ("driver", "580.159"), ("display", "none")))
    machine = describe_machine("cuda", gpu, OF_GPU, plan())
    assert (machine.name, machine.driver, machine.connections) == ("NVIDIA H200", "580.159", 8)
    assert (machine.engines, machine.memory_bytes) == (GPU.engines, 141 << 30)
    assert (machine.profile, machine.source) == ("mine", "measured on Some CPU")
    assert machine.warnings == ()


def test_that_of_a_device_that_is_not_up_only_the_profile_is_known() -> None:
    machine = describe_machine("cpu", None, PROFILE, plan())
    assert (machine.name, machine.engines, machine.connections, machine.warnings) == ("", (), 0, ())
    assert machine.profile == "cpu-default"


@pytest.mark.parametrize(
    ("hello", "streams", "memory", "words"),
    [
        (GPU, 12, Memory.PINNED, ("12 streams", "8 connections", "CUDA_DEVICE_MAX_CONNECTIONS=12")),
        (GPU, 40, Memory.PINNED, ("40 streams", "CUDA_DEVICE_MAX_CONNECTIONS=32")),
        (GPU, 2, Memory.PAGEABLE, ("pageable memory (x)", "make those buffers pinned")),
        (replace(GPU, facts=(("display", "attached"),)), 2, Memory.PINNED, ("display is attached", "another GPU")),
    ],
)
def test_that_each_fault_of_a_gpu_is_a_sentence_with_what_to_do(
    hello: Hello, streams: int, memory: Memory, words: tuple[str, ...]
) -> None:
    (warning,) = describe_machine("cuda", hello, OF_GPU, plan(streams, memory)).warnings
    assert all(word in warning for word in words)
    assert warning.endswith(".")


@pytest.mark.parametrize(
    ("hello", "words"),
    [
        (replace(CPU, facts=(("governor", "powersave"),)), ("powersave", "choose “performance”")),
        (replace(CPU, engines=(("compute", 2),)), ("2 threads for kernels", "close other programs")),
        (replace(CPU, engines=(("compute", 1),)), ("1 thread for kernels",)),
    ],
)
def test_that_each_fault_of_a_processor_is_a_sentence_with_what_to_do(hello: Hello, words: tuple[str, ...]) -> None:
    (warning,) = describe_machine("cpu", hello, MINE, plan(40, Memory.PAGEABLE)).warnings
    assert all(word in warning for word in words)


def test_that_a_profile_of_another_device_or_of_none_asks_for_a_calibration() -> None:
    (other,) = describe_machine("cpu", CPU, OF_GPU).warnings
    assert "was measured on NVIDIA H200, not of this device: calibrate it" in other
    (none,) = describe_machine("cpu", CPU, PROFILE).warnings
    assert "“cpu-default” is of a typical 2-core machine, not of this device: calibrate it" in none


def test_that_a_simulated_device_has_the_figures_it_is_made_of() -> None:
    simulated = Hello("simulated", "H200-like", "simulated", ENGINES, 1)
    assert describe_machine("simulated", simulated, PROFILE, plan(40, Memory.PAGEABLE)).warnings == ()
