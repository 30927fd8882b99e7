"""Printing: an answer on stdout, which may be closed, full, or read by nobody. It never knows what it prints."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

DONE, FAILED = 0, 1


def put(text: str) -> int:
    """Prints a text and returns the exit code: 1 when it cannot be, with a sentence, or none for a reader that left."""
    if sys.stdout is None:  # closed before this process began
        return _refused("it is closed")
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up()
        return FAILED
    except OSError as error:
        _give_up()
        return _refused(str(error.strerror))
    return DONE


def _refused(reason: str) -> int:
    sys.stderr.write(f"The answer could not be printed on stdout: {reason}.\n")
    return FAILED


def _give_up() -> None:
    """What is left in the buffer goes nowhere: the interpreter would complain of it at its end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
