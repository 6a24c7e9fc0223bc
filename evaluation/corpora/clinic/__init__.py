"""The clinic: the wiki of a German hospital and its works council, and questions about it."""
