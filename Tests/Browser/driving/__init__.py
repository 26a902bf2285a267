"""Drives real browsers, the server, and the network between the two."""
