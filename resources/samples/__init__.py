"""The plans of the Welcome page, written by packaging/make_samples.py. This package never holds code."""
