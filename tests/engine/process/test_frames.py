"""Frames: messages survive pipes that deliver them in pieces and end in mid-message."""

import asyncio
import io

import pytest

from engine.process import frames
from engine.process.messages import Arrived, Control, Reply, Request

MESSAGES: list[Request | Reply] = [Control("pause", 3), Arrived(3, 70_000)]


class Trickle(io.RawIOBase):
    """A pipe that takes and gives one byte at a time."""

    def __init__(self, data: bytes = b"") -> None:
        self._inner = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self._inner.read(min(size, 1))

    def write(self, data: object) -> int:
        return self._inner.write(bytes(data)[:1])  # type: ignore[call-overload]

    def getvalue(self) -> bytes:
        return self._inner.getvalue()


def test_that_a_pipe_that_takes_bytes_singly_carries_whole_messages() -> None:
    out = Trickle()
    for message in MESSAGES:
        frames.write(out, message)  # type: ignore[arg-type]
    back = Trickle(out.getvalue())
    assert [frames.read(back) for _ in range(3)] == [*MESSAGES, None]  # type: ignore[arg-type]


@pytest.mark.parametrize("cut", [1, 3, 4, 9])
def test_that_a_pipe_that_ends_in_mid_message_gives_none(cut: int) -> None:
    data = frames.pack(MESSAGES[0])[:cut]

    async def scenario() -> object:
        stream = asyncio.StreamReader()
        stream.feed_data(data)
        stream.feed_eof()
        return await frames.receive(stream)

    assert frames.read(io.BytesIO(data)) is None
    assert asyncio.run(scenario()) is None
