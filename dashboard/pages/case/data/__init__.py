"""Data: the table, what its columns are, who is compared, and who decides."""
