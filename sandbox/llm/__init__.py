"""A stand-in for a language model: an OpenAI-compatible endpoint with scripted answers."""
