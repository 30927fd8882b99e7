"""The verb shot: the window as it would look, as a picture. It opens no window and starts no device."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QPixmap

from engine.errors import EngineError
from engine.session.devices import Devices
from engine.session.jobs import Supervisor
from gui.appearance import Appearance, make_application
from gui.bridge import Bridge
from gui.loop import Loop
from gui.main_window import MainWindow

DONE, BAD_INPUT = 0, 2
LANGUAGES = ("en",)
SUFFIX, HEAD = ".png", b"\x89PNG\r\n\x1a\n"
# Nobody has a larger screen, and three times as many pixels each way still go into memory.
LARGEST = (7680, 4320)
# Enough turns of the loop for layouts and the first pictures to settle.
_TURNS = 20


def main(argv: Sequence[str], version: str) -> int:
    """Draw FILE into OUT.png; returns the exit code."""
    options = _parser().parse_args(argv)
    if refusal := refusal_of(Path(options.file), Path(options.out)):
        sys.stderr.write(refusal + "\n")
        return BAD_INPUT
    os.environ["QT_SCALE_FACTOR"] = str(options.scale)
    app = make_application(version)
    appearance = Appearance(app, options.theme)
    with asyncio.Runner(loop_factory=Loop) as runner:
        sentence = runner.run(_draw(options, appearance))
    if sentence:
        sys.stderr.write(sentence + "\n")
        return BAD_INPUT
    return DONE


def refusal_of(plan: Path, out: Path) -> str:
    """Why a picture is not written to `out`, in one sentence; empty when it may be. Only a picture is ever replaced."""
    if out.suffix.lower() != SUFFIX:
        return f"{out} is no name for a picture: choose one that ends in {SUFFIX}."
    if out.exists() and plan.exists() and out.samefile(plan):
        return f"{out} is the plan itself: choose another name for the picture."
    try:
        with out.open("rb") as file:
            is_picture = file.read(len(HEAD)) == HEAD
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{out} cannot be replaced: {error.strerror or error}."
    return "" if is_picture else f"{out} is there and is no picture: choose another name."


async def _draw(options: argparse.Namespace, appearance: Appearance) -> str:
    """Returns why there is no picture, or nothing."""
    bugs: list[BaseException] = []
    supervisor = Supervisor(lambda error, _: bugs.append(error))
    bridge = Bridge(supervisor, Devices())
    window = MainWindow(bridge, appearance, lambda: 0.0)
    window.resize(*options.size)
    window.show()
    try:
        await bridge.load(str(Path(options.file).absolute()))
        for _ in range(_TURNS):
            await asyncio.sleep(0.005)
        bridge.refreshing.settle()
        return "" if _picture(window, options.view).save(options.out, "PNG") else f"{options.out} cannot be written."
    except EngineError as error:
        return error.sentence
    finally:
        window.hide()
        await supervisor.leave()
        window.deleteLater()


def _picture(window: MainWindow, view: str) -> QPixmap:
    return {"gantt": window.gantt, "timeline": window.timeline, "all": window}[view].grab()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="warploom shot", description="Draw the window with a plan into a picture.")
    parser.add_argument("file")
    parser.add_argument("out")
    parser.add_argument("--view", choices=("gantt", "timeline", "all"), default="all")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--scale", type=int, choices=(1, 2, 3), default=1)
    parser.add_argument("--size", type=_size, default=(1600, 1000), metavar="WxH")
    parser.add_argument("--lang", choices=LANGUAGES, default="en")
    return parser


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    size = (0, 0) if found is None else (int(found[1]), int(found[2]))
    if found is None or size[0] > LARGEST[0] or size[1] > LARGEST[1]:
        most = "x".join(map(str, LARGEST))
        raise argparse.ArgumentTypeError(f"“{text}” is not a size such as 1600x1000, of at most {most}")
    return size
