"""The zip that a workbook is: its parts, read within limits. It never unpacks to the disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from engine.errors import FormatError
from engine.formats.text import read_head
from engine.formats.xml_text import Element, parse_xml

_MOST_BYTES = 1 << 26
_MOST_PART = 3 << 24
_MOST_SMALL = 1 << 22
_MOST_PARTS = 10_000
_MOST_TIMES = 100  # real sheets: 10 to 20
_CHUNK = 1 << 16
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError, RuntimeError)


class Package:
    """The parts of a workbook by name. Every error is a FormatError that names the part."""

    def __init__(self, path: str | Path) -> None:
        data = read_head(path, _MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise FormatError(f"The workbook is larger than {_MOST_BYTES >> 20} MB.")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise FormatError("The file is no workbook of Excel 2007 or later, or it is damaged.") from error
        if len(self._zip.namelist()) > _MOST_PARTS:
            raise FormatError(f"The workbook has more than {_MOST_PARTS:,} parts.")

    def has(self, name: str) -> bool:
        """Whether there is such a part."""
        return name in self._zip.NameToInfo

    def stream(self, name: str, most: int = _MOST_PART) -> Iterator[bytes]:
        """A part in pieces, unpacked as they are asked for; refused once it is larger than it may be."""
        info = self._zip.NameToInfo.get(name)
        if info is None:
            raise FormatError(f"The workbook has no part {name}.")
        if info.flag_bits & 1:
            raise FormatError("The workbook is protected by a password.")
        if info.file_size > max(_MOST_SMALL, _MOST_TIMES * info.compress_size):
            raise FormatError(f"Part {name} of the workbook unpacks to more than {_MOST_TIMES} times its size.")
        size = 0
        try:
            with self._zip.open(info) as part:
                while chunk := part.read(_CHUNK):
                    size += len(chunk)
                    if size > most:
                        raise FormatError(f"Part {name} of the workbook unpacks to more than {most >> 20} MB.")
                    yield chunk
        except _BROKEN as error:
            raise FormatError(f"Part {name} of the workbook is damaged.") from error

    def tree(self, name: str) -> Element:
        """A small part as a tree."""
        data = b"".join(self.stream(name, _MOST_SMALL))
        return parse_xml(data.decode("utf-8-sig", "replace"), name)
