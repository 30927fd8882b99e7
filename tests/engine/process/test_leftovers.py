"""What faults leave behind: a few of the thousand that the long test suffers, always the same."""

import sys

import pytest

from tests.stress.test_device_faults import suffer


@pytest.mark.skipif(sys.platform != "linux", reason="what is left is looked for in /proc and /dev/shm")
def test_that_faults_leave_neither_process_nor_memory_nor_file() -> None:
    seen = suffer(20, seed=7)
    assert (seen["faults"], seen["wrong"]) == (20, [])
    assert len(seen["kinds"]) >= 10
