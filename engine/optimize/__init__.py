"""BETTER PLANS: a Problem goes in, Solutions come out, and one evaluator measures all. Never a clock or a thread."""
