"""What is indexed, what a sync has to do, and what it did."""
