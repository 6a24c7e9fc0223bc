"""What people read of a hand-over: the request, its preview, and the page's question."""
