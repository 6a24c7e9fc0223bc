"""What stands below the words of an answer."""
