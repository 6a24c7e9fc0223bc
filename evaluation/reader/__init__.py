"""How the reader of `worker/reading` is trained, and how well it reads."""
