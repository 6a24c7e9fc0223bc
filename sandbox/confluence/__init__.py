"""A stand-in for a Confluence site: the REST API, pages for people, a control API for tests."""
