"""Who may read what, who may ask how much, and what channels and people have chosen."""
