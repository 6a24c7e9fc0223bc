"""`python -m evaluation employees`: questions as employees type them, judged by facts and pages."""
