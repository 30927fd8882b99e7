"""Exact solving by CP-SAT: proofs, lower bounds, large neighborhoods, and why nothing is feasible.

Nothing else imports ortools; import this package late, and in a process of its own.
"""
