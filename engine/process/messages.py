"""What crosses between the window's process and a device process: small frozen messages. Arrays never do."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Plan
from engine.program.advice import Advice
from engine.program.operation import Program
from engine.program.simulation import AS_IT_IS, Simulation
from engine.trace.counters import Sample


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Run a program `repeat` times. `profile` is the JSON text of a DeviceProfile, for the simulated device.

    `is_trusted`: the person lets the code of the program's kits run. `simulation` is for the simulated device too.
    `is_counted`: the machine's counters are sampled.
    """

    run: int
    program: Program
    profile: str
    repeat: int = 1
    seed: int = 0
    is_trusted: bool = False
    simulation: Simulation = AS_IT_IS
    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class Control:
    """`verb` is pause, resume, cancel or quit; `run` says which run (0: none)."""

    verb: str
    run: int = 0


@dataclass(frozen=True, slots=True)
class RingAttach:
    """The shared memory the device process writes its parts into: `rows` rows of PARTS."""

    name: str
    rows: int


@dataclass(frozen=True, slots=True)
class Hello:
    """What a device is: the first word of its process, and said again when a run's profile makes it another.

    `facts` are what else is known of it, as (name, text): driver, display, connections, governor. `counters` are the
    name and unit of each counter that is sampled while it runs.
    """

    kind: str
    name: str
    stamps: str
    engines: tuple[tuple[str, int], ...]
    memory_bytes: int
    facts: tuple[tuple[str, str], ...] = ()
    counters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Arrived:
    """Rows up to `written` (a running count) lie in the ring."""

    run: int
    written: int


@dataclass(frozen=True, slots=True)
class Paused:
    """`is_paused`: as it was asked to, the run stands still, and nothing of it is under way; else it goes on again."""

    run: int
    is_paused: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """What counters of the machine said while a run went on."""

    run: int
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class OutputDigest:
    """The bytes of an output buffer after a run, and whether they equal the reference."""

    buffer: str
    nbytes: int
    sha256: str
    is_equal: bool


@dataclass(frozen=True, slots=True)
class RunEnded:
    """`outcome` is finished, failed or canceled; `error` a sentence; `is_verified` None when nothing was compared.

    `is_device_lost`: the device's process ends too, since only another one can open the device again.
    """

    run: int
    outcome: str
    error: str = ""
    failed_task: int = 0
    outputs: tuple[OutputDigest, ...] = ()
    is_verified: bool | None = None
    is_device_lost: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """The device process could not do what was asked (a device that is not there): a sentence."""

    sentence: str


@dataclass(frozen=True, slots=True)
class AdviceRequest:
    """What would let a plan run faster? `profile` is the JSON text of a DeviceProfile, `folder` where the plan lies.

    What was found after `seconds` is the answer.
    """

    plan: Plan
    profile: str
    folder: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Advised:
    """The best change of each kind, by gain; nothing for a plan that cannot run."""

    found: tuple[Advice, ...]


Request = RunRequest | Control | RingAttach | AdviceRequest
Reply = Hello | Arrived | Paused | Counted | RunEnded | Refused | Advised
