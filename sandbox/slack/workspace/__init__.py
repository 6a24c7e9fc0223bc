"""The state of a workspace, and the events that its changes send."""
