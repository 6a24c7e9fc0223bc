"""SQL, the source of truth: tables, connections, migrations, keys."""
