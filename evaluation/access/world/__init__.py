"""The small site of the histories, how it changes, and who may read what there."""
