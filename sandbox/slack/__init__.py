"""A stand-in for Slack on this machine: Web API, Socket Mode or signed HTTP, and a workspace page; the real bot runs against it unpatched.

Reading order: values, team, blockkit, people, events, interactions, http, link, world, methods/, api, control, app, client.
It keeps everything in memory, knows one team and one app, and leaves out files, search, user groups and OAuth.
"""
