"""Backup and restore of the database, which is all that cannot be made anew."""
