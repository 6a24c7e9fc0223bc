"""Reports for the console, from SQL alone: counts, questions, pages, cost, audit log."""
