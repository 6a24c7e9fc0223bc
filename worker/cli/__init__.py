"""What `python -m worker` prints and exports."""
