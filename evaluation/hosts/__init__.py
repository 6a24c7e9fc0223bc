"""Two hosts that share their stores: what is lost or said twice when one of them goes wrong."""
