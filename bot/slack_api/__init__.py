"""The one way to Slack's Web API: its errors, rate limits and capability detection."""
