"""What the bot says unasked: a welcome in a channel, a digest every week; each at most once."""
