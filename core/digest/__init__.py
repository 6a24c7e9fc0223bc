"""The weekly digest in SQL: what page owners and operators are told, and gaps called fixed."""
