"""What the doctor looks at, a file for each subject; every check returns one finding."""
