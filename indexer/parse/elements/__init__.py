"""Elements and macros of the storage format, a module for each family."""
