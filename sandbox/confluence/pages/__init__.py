"""Pages as a person reads them in a browser."""
