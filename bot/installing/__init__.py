"""Installing: the pages on which a workspace installs the app, and what ends with it."""
