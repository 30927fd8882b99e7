"""Where batches are decoded fastest, by a clock that the ways themselves turn."""

from engine.optimize.batch.choosing import Rate, fastest, rate_of


class Clock:
    """Nanoseconds that pass only while a way is at work."""

    def __init__(self) -> None:
        self.now = 0
        self.sizes: list[int] = []

    def way(self, start_ns: int, each_ns: int):
        def decode(size: int) -> None:
            self.sizes.append(size)
            self.now += start_ns + size * each_ns

        return decode

    def __call__(self) -> int:
        return self.now


def test_that_a_device_pays_only_for_many_candidates() -> None:
    clock = Clock()
    ways = {"cpu": clock.way(0, 5_000), "device": clock.way(30_000_000, 10)}
    assert fastest(ways, 1_000, clock)[0] == "cpu"
    ways = {"cpu": clock.way(0, 5_000), "device": clock.way(100_000, 10)}
    assert fastest(ways, 1 << 20, clock)[0] == "device"


def test_that_trials_grow_until_they_say_something() -> None:
    clock = Clock()
    assert rate_of(clock.way(0, 1_000), 1 << 20, clock) == Rate(1e6, 32)
    assert clock.sizes == [1, *(32 << step for step in range(10))]
    clock = Clock()
    assert rate_of(clock.way(1_000_000, 0), 100, clock) == Rate(1e5, 100)
    assert clock.sizes == [1, 32, 64, 100]
