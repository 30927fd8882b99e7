"""The device plans of the Welcome page: a video pipeline, a training step, a game frame. Never run by the app.

What never changes is copied in once.

Every plan gives the same outputs in every iteration: what an iteration reads, it has first written or copied in.
"""

from __future__ import annotations

from dataclasses import dataclass, field

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

Shape = tuple[int, ...]
After = tuple[int, ...]


@dataclass
class DeviceDraft:
    """A device plan being written. Each operation's method returns the task id it gave out."""

    streams: tuple[str, ...]
    tasks: list[Task] = field(default_factory=list)
    links: list[Dependency] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    buffers: list[Buffer] = field(default_factory=list)
    parent: int | None = None

    def group(self, name: str) -> None:
        """A summary; the operations that follow lie in it."""
        self.parent = None
        self.tasks.append(Task(len(self.tasks) + 1, name))
        self.parent = len(self.tasks)

    def given(self, name: str, *shape: int) -> str:
        """A buffer whose host side is filled from a seed of its own."""
        self.buffers.append(Buffer(name, shape, fill=Fill(FillKind.SEED, len(self.buffers) + 1)))
        return name

    def empty(self, name: str, *shape: int) -> str:
        """A buffer that an operation fills."""
        self.buffers.append(Buffer(name, shape))
        return name

    def copy_in(self, name: str, stream: int, buffer: str, after: After = (), *, is_once: bool = False) -> int:
        spec = OperationSpec(OperationKind.COPY_IN, reads=(buffer,), writes=(buffer,), is_once=is_once)
        return self._add(name, stream, spec, after)

    def copy_out(self, name: str, stream: int, buffer: str, after: After = ()) -> int:
        return self._add(name, stream, OperationSpec(OperationKind.COPY_OUT, reads=(buffer,), writes=(buffer,)), after)

    def kernel(self, name: str, stream: int, call: str, after: After = ()) -> int:
        """`call` reads "kernel(read, read) -> write, write"; parameters stand as name=value among the reads."""
        return self._add(name, stream, _spec(OperationKind.KERNEL, call), after)

    def host(self, name: str, stream: int, call: str, after: After = ()) -> int:
        return self._add(name, stream, _spec(OperationKind.HOST, call), after)

    def plan(self, name: str) -> Plan:
        return Plan(
            name,
            Clock.DEVICE,
            tasks=tuple(self.tasks),
            dependencies=tuple(self.links),
            resources=tuple(Resource(n, title, ResourceKind.STREAM) for n, title in enumerate(self.streams, 1)),
            assignments=tuple(self.assignments),
            buffers=tuple(self.buffers),
            next_task_id=len(self.tasks) + 1,
        ).check()

    def _add(self, name: str, stream: int, spec: OperationSpec, after: After) -> int:
        number = len(self.tasks) + 1
        self.tasks.append(Task(number, name, 0, self.parent, is_duration_typed=False, operation=spec))
        self.assignments.append(Assignment(number, stream))
        self.links += [Dependency(before, number) for before in after]
        return number


def _spec(kind: OperationKind, call: str) -> OperationSpec:
    head, writes = call.split(" -> ")
    kernel, inside = head.rstrip(")").split("(")
    words = [word for word in inside.split(", ") if word]
    parameters = tuple((name, float(value)) for name, value in (word.split("=") for word in words if "=" in word))
    reads = tuple(word for word in words if "=" not in word)
    return OperationSpec(kind, kernel, parameters, reads, tuple(writes.split(", ")))


def video_pipeline() -> Plan:
    """Nine frames through copy in, denoise and copy out, on three streams in turn."""
    draft = DeviceDraft(("Stream 1", "Stream 2", "Stream 3"))
    weights = draft.given("weights", 11, 11)
    ready = draft.copy_in("copy in weights", 1, weights, is_once=True)
    for frame in range(9):
        draft.group(f"Frame {frame}")
        stream = frame % 3 + 1
        raw, clean = draft.given(f"raw {frame}", 720, 1280), draft.empty(f"clean {frame}", 720, 1280)
        arrived = draft.copy_in("copy in", stream, raw)
        done = draft.kernel("denoise", stream, f"convolve({raw}, {weights}) -> {clean}", (arrived, ready))
        draft.copy_out("copy out", stream, clean, (done,))
    return draft.plan("Video pipeline")


BATCH, SIZES, LAYERS = 256, (256, 512, 512, 128), (1, 2, 3)


def training_step() -> Plan:
    """Forward, backward and the exchange of gradients with a second worker, hidden under the backward pass."""
    draft = DeviceDraft(("Compute", "Exchange", "Host"))
    draft.group("Load")
    loaded = [draft.copy_in("copy in x", 2, draft.given("x", BATCH, SIZES[0]))]
    for layer in LAYERS:
        draft.given(f"w{layer}", SIZES[layer - 1], SIZES[layer])
        loaded.append(draft.copy_in(f"copy in w{layer}", 2, f"w{layer}"))
    wanted = draft.copy_in("copy in target", 2, draft.given("target", BATCH, SIZES[3]))
    gradients = _backward(draft, (_forward(draft, loaded), wanted))
    _update(draft, _exchange(draft, gradients))
    return draft.plan("Training step")


def _forward(draft: DeviceDraft, loaded: list[int]) -> int:
    draft.group("Forward")
    before, activation = loaded[0], "x"
    for layer in LAYERS:
        z, a = (draft.empty(f"{letter}{layer}", BATCH, SIZES[layer]) for letter in "za")
        product = draft.kernel(f"matmul {layer}", 1, f"matmul({activation}, w{layer}) -> {z}", (before, loaded[layer]))
        before = draft.kernel(f"tanh {layer}", 1, f"tanh({z}) -> {a}", (product,))
        activation = a
    return before


def _backward(draft: DeviceDraft, after: After) -> dict[int, int]:
    draft.group("Backward")
    error = draft.empty("error 3", BATCH, SIZES[3])
    before = draft.kernel("loss", 1, f"saxpy(beta=-1, a3, target) -> {error}", after)
    gradients: dict[int, int] = {}
    for layer in reversed(LAYERS):
        delta = draft.empty(f"delta {layer}", BATCH, SIZES[layer])
        gradient = draft.empty(f"gradient {layer}", SIZES[layer - 1], SIZES[layer])
        slope = draft.kernel(f"tanh gradient {layer}", 1, f"tanh_gradient({error}, a{layer}) -> {delta}", (before,))
        activation = "x" if layer == 1 else f"a{layer - 1}"
        call = f"matmul(transpose_a=1, {activation}, {delta}) -> {gradient}"
        gradients[layer] = draft.kernel(f"weight gradient {layer}", 1, call, (slope,))
        if layer > 1:
            error = draft.empty(f"error {layer - 1}", BATCH, SIZES[layer - 1])
            call = f"matmul(transpose_b=1, {delta}, w{layer}) -> {error}"
            before = draft.kernel(f"input gradient {layer}", 1, call, (slope,))
    return gradients


def _exchange(draft: DeviceDraft, gradients: dict[int, int]) -> dict[int, int]:
    draft.group("Exchange")
    averaged: dict[int, int] = {}
    for layer in reversed(LAYERS):
        shape = (SIZES[layer - 1], SIZES[layer])
        peer, mean = draft.given(f"peer {layer}", *shape), draft.empty(f"mean {layer}", *shape)
        sent = draft.copy_out(f"gradient {layer} out", 2, f"gradient {layer}", (gradients[layer],))
        call = f"saxpy(alpha=0.5, beta=0.5, gradient {layer}, {peer}) -> {mean}"
        both = draft.host(f"average {layer}", 3, call, (sent,))
        averaged[layer] = draft.copy_in(f"mean {layer} in", 2, mean, (both,))
    return averaged


def _update(draft: DeviceDraft, averaged: dict[int, int]) -> None:
    draft.group("Update")
    for layer in reversed(LAYERS):
        new = draft.empty(f"new w{layer}", SIZES[layer - 1], SIZES[layer])
        call = f"saxpy(beta=-0.01, w{layer}, mean {layer}) -> {new}"
        updated = draft.kernel(f"update w{layer}", 1, call, (averaged[layer],))
        draft.copy_out(f"copy out w{layer}", 2, new, (updated,))


def game_frame() -> Plan:
    """Four frames: input on the host, physics and particles on one stream, rendering beside them on another."""
    draft = DeviceDraft(("Host", "Simulation", "Rendering", "Transfer"))
    count = 1 << 18
    draft.group("Level")
    loaded: dict[str, int] = {}
    for name, shape in {"camera": (4, 4), "sky": (540, 960), "light": (5, 5), "bodies": (4096,)}.items():
        loaded[name] = draft.copy_in(f"copy in {name}", 4, draft.given(name, *shape))
    for name in ("position 0", "velocity 0"):
        loaded[name] = draft.copy_in(f"copy in {name.split()[0]}", 4, draft.given(name, count, 4))
    moved: After = (loaded["position 0"], loaded["velocity 0"])
    controls = draft.given("controls", 4096)
    lived: After = ()
    for frame in range(1, 5):
        draft.group(f"Frame {frame}")
        wish, push, pose = (draft.empty(f"{name} {frame}", 4096) for name in ("wish", "push", "pose"))
        position, velocity = (draft.empty(f"{name} {frame}", count, 4) for name in ("position", "velocity"))
        thought = draft.host("input and AI", 1, f"spin(microseconds=1500, {controls}) -> {wish}")
        sent = draft.copy_in("copy in wishes", 4, wish, (thought,))
        pushed = draft.kernel("forces", 2, f"saxpy({wish}, bodies) -> {push}", (sent, loaded["bodies"]))
        lived = (draft.kernel("physics", 2, f"spin(microseconds=2500, {push}) -> {pose}", (pushed, *lived)),)
        state = f"position {frame - 1}, velocity {frame - 1}"
        moved = (draft.kernel("particles", 2, f"particles({state}) -> {position}, {velocity}", moved),)
        lit, seen = draft.empty(f"lit {frame}", 540, 960), draft.empty(f"on screen {frame}", count, 4)
        lighting = draft.kernel("lighting", 3, f"convolve(sky, light) -> {lit}", (loaded["sky"], loaded["light"]))
        after = (moved[0], loaded["camera"])
        projected = draft.kernel("project particles", 3, f"matmul({position}, camera) -> {seen}", after)
        image = draft.empty(f"image {frame}", 540, 960)
        posed = draft.kernel("compose", 3, f"saxpy(beta=0.5, {lit}, sky) -> {image}", (lighting, projected, *lived))
        draft.copy_out("copy out image", 4, image, (posed,))
        draft.copy_out("copy out particles", 4, seen, (projected,))
    return draft.plan("Game frame")
