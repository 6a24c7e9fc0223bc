"""The command `groundwire`, which runs and looks after all programs."""
