"""Upkeep: what each pool of workers does by itself, for turns that nobody works on."""
