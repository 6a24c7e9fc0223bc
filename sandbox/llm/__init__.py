"""A stand-in for a language model's endpoint: it speaks OpenAI's protocol, and a script of ours writes the answers."""
