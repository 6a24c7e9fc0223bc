"""`groundwire doctor`: what is right, what is wrong and its cure, before anything is started."""
