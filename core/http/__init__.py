"""HTTP servers of all programs: their sockets, and how much a stranger may ask of them."""
