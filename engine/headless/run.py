"""The verb `run`: a device plan run to its end, as a document. It never keeps the run."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace

from engine.formats.counted import counted
from engine.gpu import has_driver
from engine.headless.devices import STAMPS
from engine.headless.interrupts import heed_interrupts
from engine.headless.progress import Progress
from engine.process.messages import Hello
from engine.session.advising import Advice, advice_sentence, find_advice_here
from engine.session.devices import Devices
from engine.session.document import Document
from engine.session.jobs import Outcome, RunJob, RunOptions
from engine.session.profiles import find_profile, own_profile
from engine.trace.overlap import Metrics
from engine.trace.timeline import Span

FAILED, INTERRUPTED = 1, 130


def answer(arguments: argparse.Namespace) -> tuple[int, object, str]:
    """Exit code, document and text of a run; of one that was interrupted what there is of it, and 130.

    Raises EngineError for a plan or a device that cannot run, and KeyboardInterrupt when it is interrupted twice.
    """
    document = Document.load(arguments.file)
    options = RunOptions(
        ("cuda" if has_driver() else "cpu") if arguments.device == "auto" else arguments.device,
        arguments.repeat,
        arguments.streams,
        arguments.seed,
        find_profile(arguments.profile) if arguments.profile else None,
        trusts=lambda _folder: bool(arguments.trust),
        faults=tuple(arguments.fault),
        pace=arguments.pace,
    )
    try:
        job, device = asyncio.run(_run(document, options))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    if job.outcome is Outcome.CANCELED:
        sys.stderr.write("Interrupted.\n")
        return INTERRUPTED, run_document(job, device) | {"advice": []}, _text(job, device)
    found = find_advice_here(document, job.profile, arguments.streams)
    advice = [_advised(each, document) for each in found]
    is_good = job.outcome is Outcome.FINISHED and job.is_verified is not False
    wrong = ", ".join(output.buffer for output in job.outputs if not output.is_equal)
    for remark in (job.error, "" if is_good or job.error else f"These buffers differ from the reference: {wrong}."):
        if remark:
            sys.stderr.write(remark + "\n")
    text = "\n".join((_text(job, device), *(str(each["sentence"]) for each in advice[:1])))
    return (0 if is_good else FAILED), run_document(job, device) | {"advice": advice}, text


async def _run(document: Document, options: RunOptions) -> tuple[RunJob, Hello]:
    devices = Devices()
    progress = Progress()
    job: RunJob | None = None
    is_interrupted = False

    def interrupt() -> None:
        nonlocal is_interrupted
        is_interrupted = True
        if job is not None:
            job.cancel()

    def show(_: int) -> None:
        if job is not None:
            progress.show(job.iteration, job.repeat)

    try:
        with heed_interrupts(interrupt):
            client = devices.client(options.device)
            hello = await client.start()
            if options.profile is None:
                options = replace(options, profile=own_profile(hello.kind, hello.name))
            job = RunJob(document, client, options, show)
            if is_interrupted:
                job.cancel()
            await job.run()
        # A device of a profile says what it is once the run brings that; one that died before says nothing more.
        return job, job.device or hello
    finally:
        progress.end()
        await devices.close()


def _advised(advice: Advice, document: Document) -> dict[str, object]:
    """A change that would make the plan faster; its gain is a prediction, of one iteration."""
    sentence = advice_sentence(advice, document.state.plan)
    return {"kind": advice.kind, "sentence": sentence, "gain_ns": advice.gain_ns, "predicted": True}


def run_document(job: RunJob, device: Hello) -> dict[str, object]:
    """The document of the verb: spans ordered by start, then task; all times in integer nanoseconds."""
    metrics = job.metrics()
    return {
        "outcome": str(job.outcome),
        "error": job.error or None,
        "device": {"kind": device.kind, "name": device.name, "stamps": device.stamps},
        "spans": list(_spans(job)),
        "metrics": {
            "span_ns": metrics.span_ns,
            "bound_ns": metrics.bound_ns,
            "serial_ns": metrics.serial_ns,
            "busy_ns": metrics.busy_ns,
            "hidden_copy_pct": metrics.hidden_copy_pct,
            "speed_up": metrics.speed_up,
            "idle_ns": dict(metrics.idle_ns),
            "critical_path": {
                "work_ns": metrics.path.work_ns,
                "spans": [{"task": span.task, "iteration": span.iteration} for span in _path(job, metrics)],
            },
            "gaps": [
                {"row": g.row, "start_ns": g.start_ns, "end_ns": g.end_ns, "cause": g.cause, "task": g.task}
                for g in metrics.gaps
            ],
        },
        "prediction": {
            "profile": job.profile.name,
            "source": job.profile.source,
            "errors": [asdict(error) for error in job.errors()],
        },
        "outputs": [
            {
                "buffer": o.buffer,
                "bytes": o.nbytes,
                "sha256": o.sha256,
                "equal": o.is_equal if job.is_verified is not None else None,
            }
            for o in job.outputs
        ],
        "verified": bool(job.is_verified),
    }


def _path(job: RunJob, metrics: Metrics) -> list[Span]:
    return [job.timeline.span_at(row) for row in metrics.path.spans]


def _spans(job: RunJob) -> Iterator[dict[str, object]]:
    streams = job.program.streams
    for span in job.timeline.spans():
        planned = job.predicted.span(span.task, span.iteration)
        yield {
            "task": span.task,
            "iteration": span.iteration,
            "name": span.name,
            "stream": streams[span.stream],
            "engine": span.engine,
            "start_ns": span.start_ns,
            "end_ns": span.end_ns,
            "predicted_start_ns": planned.start_ns if planned else None,
            "predicted_end_ns": planned.end_ns if planned else None,
        }


def _text(job: RunJob, device: Hello) -> str:
    metrics = job.metrics()
    hidden = "n/a" if metrics.hidden_copy_pct is None else f"{metrics.hidden_copy_pct:.1f} %"
    operations = counted(job.timeline.count, "1 operation", "{count} operations")
    speed = "n/a" if metrics.speed_up is None else f"{metrics.speed_up:.2f}"
    return (
        f"{job.outcome} on {device.name}, {STAMPS[device.stamps]}: {operations} in "
        f"{metrics.span_ns / 1e6:.2f} ms, hidden copy {hidden}, speed-up over serial {speed}, "
        f"{'verified' if job.is_verified else 'not verified'}"
    )
