"""The second reader: a configured model reads the claims of an answer again beside its pages."""
