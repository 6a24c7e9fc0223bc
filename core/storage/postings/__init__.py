"""Words of pages in SQL, for the engine in Postgres."""
