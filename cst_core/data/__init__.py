"""A table with roles: reading and checking files, which column is what."""
