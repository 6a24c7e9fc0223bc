"""The one way to Slack's Web API: its errors, its limits, and what an older workspace lacks."""
