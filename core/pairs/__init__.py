"""Question and answer pairs: proposed, decided on, and used by search once they are accepted."""
