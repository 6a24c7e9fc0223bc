"""Runs the programs, and the servers that they need, on this machine."""
