"""WHAT CAN RUN ON A DEVICE: one module a kernel. Never a thread."""
