# Thin over packaging/dev.py, which needs nothing but Python 3.11 to 3.13: without make, type
# "python3 packaging/dev.py run" instead of "make run". ARGS goes through: make test ARGS="-k calendar".
PYTHON ?= python3
ARGS ?=

.PHONY: run test bench bench-full stress sanitize lint lock
run test bench bench-full stress sanitize lint lock:
	@$(PYTHON) packaging/dev.py $@ $(ARGS)
