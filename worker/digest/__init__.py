"""The weekly digest: what it tells, and gaps that are asked again when they are called fixed."""
