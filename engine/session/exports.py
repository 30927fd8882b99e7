"""Exports: files that are no plans, such as a PDF or a picture, written as safely as a plan. It never makes one."""

from __future__ import annotations

from pathlib import Path

from engine.errors import FormatError
from engine.formats.replacing import replace_file


def write_export(path: str, data: bytes) -> None:
    """Write a file whole or not at all. Blocks. Raises FormatError."""
    try:
        replace_file(Path(path), data, backups=0)
    except OSError as error:
        raise FormatError(f"“{path}” cannot be written: {error.strerror or error}.", path=path) from error
