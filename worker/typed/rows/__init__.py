"""Rows of a table that a question chooses by their time, or by an amount that it names.

in_time        rows of the time that a question asks for, the next or the last of them
asked_time     what time that is: days, weeks, months, or what is next
time_columns   columns of days; how long each of their rows lasts
written_time   the days that a cell or a question names
periods        spans of days, seen from today
by_amount      rows whose threshold holds the amount of a question
thresholds     cells that say up to or from which amount their row holds
"""
