"""Support of an answer: whether each sentence of a model stands on the pages that it cites."""
