"""What a model is told: templates, and the evidence that fits the context window."""
