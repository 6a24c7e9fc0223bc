"""The engine in Postgres: evidence found by the database, for as many hosts as ask it."""
