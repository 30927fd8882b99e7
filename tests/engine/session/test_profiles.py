"""A person's own profiles: what they are called, where they lie, and which one is meant."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import FormatError
from engine.program.profile import load_profile
from engine.session.profiles import (
    find_profile,
    own_name,
    own_names,
    own_profile,
    profile_changes,
    profile_folder,
    write_profile,
)

CPU = load_profile("cpu-default")
DEVICE = "Intel(R) Xeon(R) Processor, 2 threads"
MINE = replace(CPU, name="cpu-intel-xeon-processor-2-threads", source="measured", device=DEVICE)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def keep(**changes: str) -> None:
    profile = replace(MINE, **changes)  # type: ignore[arg-type]
    write_profile(profile, profile_folder() / f"{profile.name}.json")


def test_that_a_profile_is_called_after_its_device() -> None:
    assert own_name("cpu", DEVICE) == MINE.name
    assert own_name("cuda", "NVIDIA H200") == "cuda-nvidia-h200"
    assert own_name("cpu", "CPU") == "cpu"


def test_that_nobody_has_profiles_before_something_was_measured() -> None:
    assert own_names() == ()
    assert own_profile("cpu") is None
    assert own_profile("cpu", DEVICE) is None


def test_that_the_profile_of_a_device_is_found_by_what_it_calls_itself() -> None:
    keep()
    assert own_names() == (MINE.name,)
    assert own_profile("cpu", DEVICE) == MINE
    assert own_profile("cpu", "Another Processor, 8 threads") is None
    assert own_profile("cuda") is None


def test_that_without_a_device_the_only_one_of_its_kind_is_meant_and_of_two_none() -> None:
    keep()
    assert own_profile("cpu") == MINE
    keep(name="cpu-other-8-threads")
    assert own_profile("cpu") is None


def test_that_a_name_means_a_file_before_an_own_profile_and_that_before_one_of_the_product(tmp_path: Path) -> None:
    assert find_profile("cpu-default") == CPU
    keep(name="cpu-default", source="mine")
    assert find_profile("cpu-default").source == "mine"
    write_profile(replace(CPU, source="a file"), tmp_path / "some.json")
    assert find_profile(str(tmp_path / "some.json")).source == "a file"
    with pytest.raises(FormatError, match="neither a file nor a device profile “tpu”; there are cpu-default"):
        find_profile("tpu")


def test_that_a_file_that_is_no_profile_is_refused_with_its_path() -> None:
    keep()
    path = profile_folder() / f"{MINE.name}.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        own_profile("cpu", DEVICE)
    assert caught.value.path == str(path)
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(FormatError, match="cannot be read"):
        own_profile("cpu", DEVICE)


def test_that_a_profile_that_cannot_be_written_leaves_the_old_one(home: Path) -> None:
    (home / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(FormatError):
        write_profile(MINE, home / "file" / "profile.json")


def test_that_what_changed_is_said_where_it_is_more_than_a_tenth() -> None:
    after = replace(CPU, copy_in_bytes_per_second=16e9, launch_latency_ns=10_500, memory_bytes_per_second=11e9)
    assert profile_changes(CPU, after) == ("copy in 8 → 16 GB/s", "memory 22 → 11 GB/s")
    assert profile_changes(CPU, CPU) == ()
