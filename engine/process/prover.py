"""The process of the exact solver: one problem in, solutions and bounds out, until it is done or nobody reads them.

It never decides: whoever started it measures what it offers. A stuck solver is ended with its process.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from engine.optimize.problem import Evaluation, Solution
from engine.process import frames
from engine.process.solve_messages import Bettered, Explained, Offered, Proved, ProverDone, ProveReply, ProveRequest

if TYPE_CHECKING:
    from engine.optimize.cpsat.prove import Prover

LOWEST = 15
# A first look at the whole problem, for bounds, even where it is too large to be solved so.
_LOOK_SECONDS, _EXPLAIN_SECONDS, _NO_LIMIT = 5.0, 20.0, 1e9
# So many windows in a row without a better plan, and the whole problem is looked at again, longer.
_PATIENCE = 12

Tell = Callable[[ProveReply], object]


def main() -> None:
    """The process: reads its question from stdin and writes what it finds to stdout."""
    if hasattr(os, "nice"):
        os.nice(LOWEST)
    with os.fdopen(0, "rb", buffering=0) as questions, os.fdopen(os.dup(1), "wb", buffering=0) as answers:
        os.dup2(2, 1)
        request: ProveRequest | None = frames.read(questions)
        if request is None:
            return
        proving = Proving(request, _teller(answers))
        threading.Thread(target=_listen, args=(questions, proving), name="news", daemon=True).start()
        with suppress(OSError):  # nobody reads it any more
            proving.work()
    os._exit(0)


def _teller(answers: BinaryIO) -> Tell:
    """A way to tell from any thread: the solver calls back on threads of its own."""
    lock = threading.Lock()

    def tell(reply: ProveReply) -> None:
        with lock:
            frames.write(answers, reply)

    return tell


def _listen(questions: BinaryIO, proving: Proving) -> None:
    while (news := frames.read(questions)) is not None:
        proving.hear(news)
    os._exit(0)  # who asked has gone, and a solver does not stop at once


class Proving:
    """What the process does with its question: `work()` on one thread, `hear()` on another."""

    def __init__(self, request: ProveRequest, tell: Tell) -> None:
        from engine.optimize.cpsat.prove import Prover  # loads ortools

        self._best = request.best
        self._aim = request.aim
        self._tell = tell
        self._news: queue.SimpleQueue[Evaluation] = queue.SimpleQueue()
        self._bound: int | None = None
        self._prover: Prover = Prover(request.problem, request.aim, request.workers, request.seed)

    def hear(self, news: Bettered) -> None:
        """Another engine has found a better plan."""
        self._news.put(news.best)

    def work(self) -> None:
        """Prove the whole where it is small; else better windows, with a look at the whole now and then."""
        look = _NO_LIMIT if self._prover.is_whole else _LOOK_SECONDS
        while not self._is_over():
            self._prove(look)
            if self._is_over() or self._prover.is_whole:
                break
            if not self._newest.is_feasible:
                break
            self._better_windows()
            look *= 2
        if not self._newest.is_feasible:
            self._explain()
        self._tell(ProverDone())

    @property
    def _newest(self) -> Evaluation:
        """The best plan there is news of."""
        with suppress(queue.Empty):
            while True:
                self._best = self._news.get_nowait()
        return self._best

    def _is_over(self) -> bool:
        """Whether the best plan is at the bound."""
        key = self._aim.key(self._newest.objectives)
        return self._bound is not None and len(key) == 2 and key <= (0, self._bound)

    def _prove(self, seconds: float) -> None:
        self._prover.prove(self._newest, seconds, self._offer, self._take_bound)

    def _better_windows(self) -> None:
        vain = 0
        while vain < _PATIENCE and not self._is_over():
            begun = time.monotonic()
            vain = 0 if self._prover.improve(self._newest, self._offer) else vain + 1
            time.sleep(max(0.0, 0.005 - (time.monotonic() - begun)))

    def _explain(self) -> None:
        rules = self._prover.explain(_EXPLAIN_SECONDS)
        if rules is not None:
            pinned = tuple(rule.of for rule in rules if rule.kind == "pin")
            self._tell(Explained(pinned, tuple(rule.of for rule in rules if rule.kind == "most")))

    def _offer(self, solution: Solution) -> None:
        self._tell(Offered(solution))

    def _take_bound(self, bound: int) -> None:
        if self._bound is None or bound > self._bound:
            self._bound = bound
            self._tell(Proved(bound))
