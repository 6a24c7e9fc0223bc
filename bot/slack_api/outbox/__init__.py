"""The outbox: how many calls Slack takes from us, and whose turn it is to make one."""
