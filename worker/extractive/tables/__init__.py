"""Tables in excerpts: which rows and columns are shown of one that answers.

table_rows      the cells that name a row, and the columns that are asked for
chosen_rows     the rows that are shown of a table
table_excerpt   rows and columns of a table, within a number of words
markdown_table  written down under their header
"""
