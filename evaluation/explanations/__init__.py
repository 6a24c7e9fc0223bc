"""How true explanations are."""
