"""What a program does while something that it needs is lost: it says so, waits, and goes on."""
