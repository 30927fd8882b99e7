"""Kits beside a plan: which kernels a folder declares, as the edit that takes them in. It never runs their code."""

from __future__ import annotations

from pathlib import Path

from engine.errors import FormatError
from engine.kernels.kit_file import NAME, read_kit
from engine.session.device_edits import TakeKit

_MOST_BYTES = 1 << 20


def taking(folder: str, chosen: str) -> TakeKit:
    """The edit that takes in the kit in the folder `chosen` (or its kit.toml); `folder` is where the plan lies.

    Reads one small file. Raises FormatError where the plan has no file yet, the kit does not lie beneath its folder,
    or kit.toml cannot be read.
    """
    if not folder:
        raise FormatError("Save the plan first: a kit is looked for beside its file.")
    path = Path(chosen)
    path = path if path.name == NAME else path / NAME
    home, kit = Path(folder).resolve(), path.parent.resolve()
    if home == kit or not kit.is_relative_to(home):
        raise FormatError(f"The kit “{kit}” must lie in a folder of its own beneath “{home}”, where the plan is.")
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise FormatError(f"“{path}” is too large for a kit.toml.", path=str(path))
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        sentence = f"“{path}” cannot be read: a kit is a folder with a text file “{NAME}” in it."
        raise FormatError(sentence, path=str(path)) from error
    name = kit.relative_to(home).as_posix()
    return TakeKit(name, read_kit(text, name, str(path)))
