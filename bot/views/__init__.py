"""Messages, modals and the Home tab: pure functions from values to Block Kit."""
