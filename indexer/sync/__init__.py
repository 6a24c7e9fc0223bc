"""One sync: list, compare, fetch, confirm what is missing."""
