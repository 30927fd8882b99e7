"""Reading a whole file, and the sentence that says why that failed. It never parses, and never writes."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

from engine.errors import EngineError, FormatError

_LONGEST = 600
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def read_head(path: str | Path, count: int) -> bytes:
    """Up to `count` first bytes of a file. Raises FormatError for what is not a readable, regular file."""
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            what = "folder" if Path(path).is_dir() else "device or pipe"
            raise FormatError(f"{path} is a {what}, not a file.", path=str(path))
        with Path(path).open("rb") as file:
            return file.read(count)
    except OSError as error:
        raise file_error(error, path, "read") from error
    except ValueError as error:  # a zero byte in the name
        raise FormatError(f"{path!r} is not the name of a file.", path=str(path)) from error


def placed(error: EngineError, path: str | Path, unit: str = "") -> FormatError:
    """What is wrong in a file, on one line with the file in front, and its line where `unit` says what that counts.

    What was quoted at length is cut short.
    """
    sentence = " ".join(error.sentence.split())
    if len(sentence) > _LONGEST:
        sentence = f"{sentence[: _LONGEST - 100]} ... {sentence[-90:]}"
    place = f"{path}, {unit} {error.line}" if unit and error.line else f"{path}"
    if error.path != str(path):
        sentence = f"{place}: {sentence}"
    return FormatError(sentence, ids=error.ids, path=str(path), line=error.line)


def file_error(error: OSError, path: str | Path, verb: str) -> FormatError:
    """What the system refused, as one sentence; `verb` is read or written."""
    if isinstance(error, FileNotFoundError):
        what = "file" if verb == "read" else "folder"
        sentence = f"There is no {what} {path if verb == 'read' else Path(path).parent}."
    elif isinstance(error, PermissionError):
        sentence = f"{path} may not be {verb}: you have no permission."
    elif error.errno in _NO_ROOM:
        sentence = f"{path} was not {verb}: there is no room left for it. Free some and save again."
    else:
        sentence = f"{path} could not be {verb}: {error.strerror or error}."
    return FormatError(sentence, path=str(path))
