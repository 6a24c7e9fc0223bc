"""Dialogue acts: what a message wants of the bot, decided before anything is searched."""
