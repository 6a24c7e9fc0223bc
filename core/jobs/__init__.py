"""How work travels between programs: the queue, leases, and progress as it happens."""
