"""The content of a site: spaces, pages, people, loaded or generated."""
