"""Access measured: random histories of a site, and the seconds from a revocation to silence."""
