"""Thousands of candidates at once: CUDA sources, and the same in Numba. It never opens a device; it is handed one."""

from engine.program.launcher import Source

SGS, DECODE, VARY, WALK = (Source("engine.optimize.batch", name) for name in ("sgs", "decode", "vary", "walk"))
SOURCES = (SGS, DECODE, VARY, WALK)
