"""What becomes of the sources of an answer: reported by people, changed or gone since."""
