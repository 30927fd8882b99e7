"""Errors a person can act on: one sentence, and what it concerns.

Never raised for a bug: those are ordinary Python exceptions.
"""

from __future__ import annotations


class EngineError(Exception):
    """An expected failure, said in one sentence.

    `ids` names the tasks it concerns (the window outlines them), `path` and `line` the place in a file.
    """

    def __init__(self, sentence: str, *, ids: tuple[int, ...] = (), path: str = "", line: int = 0) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.ids = ids
        self.path = path
        self.line = line


class PlanError(EngineError):
    """A plan that breaks one of its own rules."""


class CycleError(PlanError):
    """Tasks that wait for each other; `ids` holds the cycle in order."""


class FormatError(EngineError):
    """A file that cannot be read or written."""


class ChangedFileError(FormatError):
    """A file that something else changed since it was read or written here: saving over it would lose that."""


class CompileError(EngineError):
    """A device plan that cannot become a program."""


class MissingLinkError(CompileError):
    """Two operations race on a buffer: `ids` is (first, second), and a link between them would order them."""


class UntrustedKitError(CompileError):
    """A plan that runs code of its own, from `folders` that nobody has said to trust."""

    def __init__(self, plan: str, folders: tuple[str, ...]) -> None:
        where = " and ".join(f"“{folder}”" for folder in folders)
        super().__init__(f"“{plan}” runs code from {where}: look at it, and trust it (--trust) to run it.")
        self.folders = folders


class DeviceError(EngineError):
    """A device that is not there, or that failed. It closes the device; the next run opens a new one."""


class SolverError(EngineError):
    """A solver that gave up."""
