"""Shops: tabu search on the disjunctive graph and path relinking between elites. search.py is the way in.

Nothing here decodes: the evaluator does, with all that a shop has not.
"""
