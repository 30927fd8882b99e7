"""Thousands of candidates at once: CUDA sources, and the same in Numba. It never opens a device; it is handed one."""

from engine.program.launcher import Source

SGS = Source("engine.optimize.batch", "sgs")
SOURCES = (SGS,)
