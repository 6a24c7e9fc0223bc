"""Leads: sentences composed from tables, lists and pages, where structure makes them certain.

A lead stands before the excerpt of an answer without a model. It cites the evidence it rests on, so
ablation explains it. Where anything is ambiguous, nothing is composed.

    compose        a question and its hits in, the lead out
    asked          what a question asks of structure: a count, the highest, a cell
    found_tables   the tables that hits make up, and whether all their rows are there
    amounts        cells that can be compared: numbers with a unit, days
    over_rows      counts, filters, extremes, sums over a whole table
    cells          one cell, or the cells of two rows
    lists          counts over a list
    meanings       what something is: a row of a glossary, the first sentence of its page
    pages          whose a page is, when it was changed, which pages there are
"""
