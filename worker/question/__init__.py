"""What a question asks for: query rewriting and question classification."""
