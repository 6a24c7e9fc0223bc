"""What messages, modals and the Home tab look like: pure functions from values to Block Kit."""
