"""Random programs as Hypothesis draws and shrinks them."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.program.operation import Program
from tests.programs import random_program


@st.composite
def programs(draw: st.DrawFn, max_operations: int = 9) -> Program:
    """Race-free programs of up to three streams over three int64 buffers, every kind of operation among them."""
    return random_program(lambda choices: draw(st.sampled_from(choices)), max_operations)
