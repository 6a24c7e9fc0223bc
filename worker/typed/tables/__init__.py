"""Tables that were found: what of their rows and cells answers a question for certain.

found_tables    the tables that hits make up, and whether all their rows are there
typed_table     columns by what they are called, rows by what they say
said_otherwise  headings and sentences around a table that deny or change what it says
selection       the rows that a question names by their cells
cells           one cell, or the cells of two rows
over_rows       what is asked of all rows: counts and filters in counting, sums and extremes in
                measuring
amounts         cells that can be compared: numbers with a unit, days
"""
