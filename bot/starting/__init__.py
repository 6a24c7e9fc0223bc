"""The start of the bot and of its pool: what each waits for, and what it says of itself."""
