"""Thousands of candidates at once: CUDA sources, and the same in Numba. It never opens a device; it is handed one."""

from engine.program.launcher import Source

SGS, DECODE, VARY, WALK, RELINK = (
    Source("engine.optimize.batch", name) for name in ("sgs", "decode", "vary", "walk", "relink")
)
SOURCES = (SGS, DECODE, VARY, WALK, RELINK)
