"""Follow-up questions that the evidence can answer."""
