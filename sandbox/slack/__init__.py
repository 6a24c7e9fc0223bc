"""A stand-in for Slack: Web API, Socket Mode or signed HTTP, and a workspace page.

The real bot runs against it unpatched. Reading order: workspace/ (values, team, events,
interactions, signed_http, link, grants, world), web_api/, people, orders, control, app, client. It
keeps everything in memory, knows one app in one workspace or in several, and leaves out search,
user groups, and organizations of workspaces.
"""
