"""Downloads of attachments, bounded: where they lead, how much is read, for how long.

download     one file, redirects by hand
public       connects to public addresses only
"""
