"""Frames: how one message lies on a pipe, as its length in four bytes and its pickle. It never opens a pipe."""

from __future__ import annotations

import asyncio
import pickle
import struct
from collections.abc import Callable
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<I")


def pack(message: object) -> bytes:
    """A message as one frame. Both ends are ours and of one version: a pickle is safe here."""
    return framed(pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL))


def framed(body: bytes) -> bytes:
    """A body as one frame."""
    return _LENGTH.pack(len(body)) + body


async def receive(stream: asyncio.StreamReader) -> Any:
    """The next message, or None when the other end has gone."""
    try:
        (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
        return pickle.loads(await stream.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


def read(stream: BinaryIO, load: Callable[[bytes], Any] = pickle.loads) -> Any:
    """The next message from an unbuffered pipe, or None when the other end has gone. Blocks."""
    head = _read_exactly(stream, _LENGTH.size)
    body = _read_exactly(stream, *_LENGTH.unpack(head)) if head else b""
    return load(body) if body else None


def write(stream: BinaryIO, message: object) -> None:
    """Writes a message to an unbuffered pipe, which may take it in pieces. Blocks; raises OSError when nobody reads."""
    rest = memoryview(pack(message))
    while rest:
        rest = rest[stream.write(rest) :]


def _read_exactly(stream: BinaryIO, count: int) -> bytes:
    """`count` bytes, or none at all when the pipe ends first."""
    data = b""
    while len(data) < count:
        piece = stream.read(count - len(data))
        if not piece:
            return b""
        data += piece
    return data
