"""Golden questions: an installation's own questions, asked again whenever something has changed."""
