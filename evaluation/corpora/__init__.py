"""Corpora that nobody tunes for: each is written by a generator of its own, with its own habits.

A corpus is a package with `write.write(folder, seed)`, which writes `pages/` for the stand-in for
Confluence and `qa-pairs.json`. Nothing of one corpus is taken from another but the code that turns
Markdown to storage format.
"""
