"""`groundwire pairs`: question and answer pairs, proposed and exported as instruction data."""
