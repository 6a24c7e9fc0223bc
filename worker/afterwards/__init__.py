"""What is done for an answer once it is there: nobody waits for it."""
