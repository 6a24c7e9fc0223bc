"""Linking an account of the site: pages for browsers, on the operator's host and never in Slack."""
