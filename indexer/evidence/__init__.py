"""From parsed pages to pieces of evidence: chunked, verbalized, contextualized."""
