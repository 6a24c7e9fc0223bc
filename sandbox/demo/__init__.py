"""The whole product on one machine, to try: real processes against stand-ins for Slack and Confluence."""
