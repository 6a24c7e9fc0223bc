"""What the bot says, each thing once: answers, explanations, their progress, and taking them back."""
