"""Reports for the console, from SQL alone: counts, questions, gaps, pages, cost, audit log."""
