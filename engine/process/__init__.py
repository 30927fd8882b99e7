"""WHERE IT RUNS: the device process and the way to it. This module stays empty."""
