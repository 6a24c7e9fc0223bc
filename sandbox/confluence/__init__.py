"""A stand-in for a Confluence Cloud site: the REST calls that the indexer makes, pages for people, and a control API for tests."""
