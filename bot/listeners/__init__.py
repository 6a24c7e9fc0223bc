"""What Slack says: written down and enqueued before it is acknowledged."""
