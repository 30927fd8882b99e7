"""Writes the plans of the Welcome page into resources/samples. Run by path; it never reads a plan."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]


def main() -> None:
    """Writes every sample anew."""
    from sample_plans import assembly_line, data_center, software_release
    from sample_programs import game_frame, training_step, video_pipeline

    from engine.formats import loom

    for make in (assembly_line, software_release, data_center, video_pipeline, training_step, game_frame):
        path = ROOT / "resources" / "samples" / f"{make.__name__.replace('_', '-')}.loom"
        path.unlink(missing_ok=True)
        loom.save(path, make())


if __name__ == "__main__":
    main()
