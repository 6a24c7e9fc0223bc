"""Messages that nobody asked for: the welcome in a channel, the weekly digest."""
