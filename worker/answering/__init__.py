"""An answer to a saved turn: its conversation, its reader, its manner, and the pipeline."""
