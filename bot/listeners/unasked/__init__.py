"""What leads to words that nobody asked for, and what is pressed under them."""
