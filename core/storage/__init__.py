"""The truth in SQL: tables, connections, migrations, keys."""
