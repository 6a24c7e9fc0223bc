"""What nobody heard or took up: messages from when the bot was off, questions without a speaker."""
