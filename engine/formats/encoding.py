"""Which encoding the bytes of a text file are in, and the text in lines. It never guesses a language.

A byte order mark decides; without one, zero bytes mean UTF-16; then UTF-8 where all of it is; else Windows-1252.
"""

from __future__ import annotations

import codecs
import io
from typing import TextIO

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096
_CHUNK = 1 << 20


def sniff_encoding(data: bytes) -> str:
    """Python's name of the encoding: utf-8-sig, utf-8, utf-16, utf-16-le, utf-16-be or cp1252."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    head = data[:_SAMPLE]
    if head and head.count(0) * 4 >= len(head):
        return "utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"
    return "utf-8" if _is_utf8(data) else "cp1252"


def open_text(data: bytes, encoding: str) -> TextIO:
    """The text, its line ends as they are. What an encoding has no character for becomes U+FFFD."""
    return io.TextIOWrapper(io.BytesIO(data), encoding=encoding, errors="replace", newline="")


def is_binary(data: bytes) -> bool:
    """Whether these first bytes are no text in any encoding above: zero bytes that no UTF-16 explains."""
    if sniff_encoding(data).startswith("utf-16"):
        return not any(data) or data.count(0) * 4 > len(data) * 3
    return 0 in data


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK])
    except UnicodeDecodeError:
        return False
    return True  # a last character cut in two is no sign of another encoding
