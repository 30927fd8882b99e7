"""The outbox: rows wait for a slow reader, in order."""

import asyncio

import numpy as np

from engine.process.outbox import Outbox
from engine.process.ring import Ring, Rows


def rows_from(first: int, count: int) -> Rows:
    return np.arange(first * 9, (first + count) * 9, dtype=np.int64).reshape(count, 9)


def test_that_a_reader_slower_than_the_writer_gets_every_row_in_order() -> None:
    async def scenario() -> Rows:
        ring = Ring.create(4)
        news: asyncio.Queue[int] = asyncio.Queue()
        outbox = Outbox(ring, news.put_nowait)
        for first in range(0, 30, 3):
            outbox.put(rows_from(first, 3))
        read: list[Rows] = []
        while await news.get() < 30:
            read.append(ring.read())
        read.append(ring.read())
        await outbox.emptied()
        ring.close()
        return np.concatenate(read)

    np.testing.assert_array_equal(asyncio.run(scenario()), rows_from(0, 30))


def test_that_it_is_not_empty_while_rows_wait_for_space() -> None:
    async def scenario() -> bool:
        ring = Ring.create(2)
        outbox = Outbox(ring, lambda _: None)
        outbox.put(rows_from(0, 3))
        waiting = asyncio.ensure_future(outbox.emptied())
        await asyncio.sleep(0)
        is_early = waiting.done()
        ring.read()
        await waiting
        outbox.close()
        ring.close()
        return is_early

    assert not asyncio.run(scenario())
