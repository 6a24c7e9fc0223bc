"""Programs started for the demo and the tests: alone, or all of the Procfile."""
