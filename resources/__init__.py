"""Resources are read through importlib.resources. This package never holds code."""
