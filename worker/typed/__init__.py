"""Leads: sentences composed from tables, lists and pages, where structure makes them certain.

A lead stands before the excerpt of an answer without a model. It cites the evidence it rests on, so
ablation explains it. Where anything is ambiguous, nothing is composed.

    compose        a question and its hits in, the lead out
    asked          what a question asks of structure: a count, the highest, a cell
    small_words    words that no search looks for, and that turn what is asked
    tables         what of rows and cells answers: counts, extremes, sums, one cell or two
    rows           rows that a question chooses by time or by an amount
    amounts        cells that can be compared: numbers with a unit, days
    lists          counts over a list
    meanings       what something is: a row of a glossary, the first sentence of its page
    tasks          the tasks of a page that are open or done, and whose they are
    pages          whose a page is, when it was changed, which pages there are
    wanted         the kind of cell that a question word wants
"""
