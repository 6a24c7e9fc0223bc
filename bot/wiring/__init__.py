"""Wiring: which listener, delivery and page gets which parts; nothing else builds them."""
