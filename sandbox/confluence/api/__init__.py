"""The REST API of Cloud and of Data Center."""
