"""Reports of what people asked, for the console and the weekly digest: gaps, periods, privacy."""
