"""`groundwire autopilot`: is the bot ready for people? Asked about its own pages before they do.

command    what is typed
posing     questions from pages, and questions that their pages do not answer
asking     asks them as everybody may, with seconds and badge
readiness  what the outcomes say: ready or not, where it fails and why
page       all of it as one page of Markdown
"""
