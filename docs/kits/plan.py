"""The pipeline as a plan: six frames on three streams. Run from the checkout: PYTHONPATH=. python docs/kits/plan.py"""

from pathlib import Path

from engine.formats import loom
from engine.kernels.kit_file import read_kit
from engine.model import (
    Assignment,
    Buffer,
    Clock,
    Dependency,
    Fill,
    FillKind,
    OperationKind,
    OperationSpec,
    Plan,
    Resource,
    ResourceKind,
    Task,
)

FRAMES, STREAMS, SHAPE = 6, 3, (720, 1280)
HERE = Path(__file__).parent


def make_plan() -> Plan:
    kit = HERE / "denoise" / "kit.toml"
    tasks, links, uses, buffers = [], [], [], []
    for frame in range(FRAMES):
        raw, soft, sharp = (f"{name}{frame % STREAMS}" for name in ("raw", "soft", "sharp"))
        steps = (
            ("Load", OperationSpec(OperationKind.COPY_IN, reads=(raw,), writes=(raw,))),
            ("Soften", OperationSpec(OperationKind.KERNEL, "soften", (("radius", 2.0),), (raw,), (soft,))),
            ("Sharpen", OperationSpec(OperationKind.KERNEL, "sharpen", (("amount", 0.5),), (raw, soft), (sharp,))),
            ("Store", OperationSpec(OperationKind.COPY_OUT, reads=(sharp,), writes=(sharp,))),
        )
        if frame < STREAMS:
            buffers += [Buffer(raw, SHAPE, fill=Fill(FillKind.SEED, frame)), Buffer(soft, SHAPE), Buffer(sharp, SHAPE)]
        for step, (name, operation) in enumerate(steps):
            number = len(tasks) + 1
            tasks.append(Task(number, f"{name} {frame + 1}", operation=operation, is_duration_typed=False))
            uses.append(Assignment(number, 1001 + frame % STREAMS))
            links += [Dependency(number - 1, number)] if step else []
    streams = tuple(Resource(1001 + index, f"Stream {index + 1}", ResourceKind.STREAM) for index in range(STREAMS))
    return Plan(
        "Denoise",
        Clock.DEVICE,
        tasks=tuple(tasks),
        dependencies=tuple(links),
        resources=streams,
        assignments=tuple(uses),
        buffers=tuple(buffers),
        kernels=read_kit(kit.read_text(encoding="utf-8"), "denoise", str(kit)),
        next_task_id=len(tasks) + 1,
    ).check()


if __name__ == "__main__":
    target = HERE / "denoise.loom"
    loom.save(target, make_plan())
    print(f"wrote {target}")
