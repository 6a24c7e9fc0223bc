"""What every stand-in serves over HTTP, and the faults that can be ordered from it."""
