"""What a message looks like: as HTML for the workspace page, as plain text for the terminal. Nothing here knows the sandbox."""
