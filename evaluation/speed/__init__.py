"""Speed of a search: an index of word salad, the product and its peers on it, by processor time."""
