"""How far two answers differ, and whether by more than chance."""
