"""NVRTC without a GPU: a CUDA source becomes machine code for an architecture, and ptxas says what it takes."""

from __future__ import annotations

import ctypes
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Built:
    """What ptxas said of an entry: registers a thread, bytes of shared memory a block, bytes spilled a thread."""

    registers: int
    shared_bytes: int
    spilled_bytes: int
    code_bytes: int


class SourceError(Exception):
    """The compiler's log, with lines of the source."""


def find_library() -> Path | None:
    """The library that the wheel nvidia-cuda-nvrtc brings, or None without it."""
    found = importlib.util.find_spec("nvidia")
    folders = [Path(place) / "cu13" / "lib" for place in (found.submodule_search_locations or [])] if found else []
    return next((path for folder in folders for path in sorted(folder.glob("libnvrtc.so.*"))), None)


def build(source: str, name: str, architecture: int, library: Path) -> Built:
    """Compile for sm_<architecture>. Raises SourceError with the log when the source is refused."""
    nvrtc = ctypes.CDLL(str(library))
    program = ctypes.c_void_p()
    _check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), 0, None, None))
    try:
        options = [f"--gpu-architecture=sm_{architecture}", "--std=c++17", "--ptxas-options=-v"]
        words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        status = nvrtc.nvrtcCompileProgram(program, len(options), words)
        log = _text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program)
        if status:
            raise SourceError(log)
        size = ctypes.c_size_t()
        _check(nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)))
        return _read(log, size.value)
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _read(log: str, code_bytes: int) -> Built:
    registers = re.search(r"Used (\d+) registers", log)
    assert registers is not None, log
    shared = re.search(r"(\d+) bytes smem", log)
    spills = re.findall(r"(\d+) bytes spill (?:stores|loads)", log)
    assert spills, log
    return Built(int(registers[1]), int(shared[1]) if shared else 0, sum(map(int, spills)), code_bytes)


def _text(size_of: object, get: object, program: ctypes.c_void_p) -> str:
    size = ctypes.c_size_t()
    _check(size_of(program, ctypes.byref(size)))  # type: ignore[operator]
    text = ctypes.create_string_buffer(size.value)
    _check(get(program, text))  # type: ignore[operator]
    return text.value.decode(errors="replace")


def _check(status: int) -> None:
    assert status == 0, f"NVRTC error {status}"
