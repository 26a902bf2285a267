"""The HTTP API over the wire, beside other servers in the same minutes."""
