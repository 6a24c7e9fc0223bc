"""What the indexer does while something that it needs is lost: it says so, waits, and goes on."""
