"""The worker's two pools, and what they do beside their tasks."""
