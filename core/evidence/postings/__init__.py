"""Postings in SQL, for the engine in Postgres: written with the evidence, in one transaction."""
