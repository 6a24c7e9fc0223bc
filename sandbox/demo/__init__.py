"""The demo: the whole product on one machine, against stand-ins for Slack and Confluence."""
