"""`python -m evaluation pose`: messages put to the bot, and what became of each."""
