"""How the product answers in Slack under load."""
