"""Posts each thing once: answers, explanations, their progress; and deletes them again."""
