"""Start: open a sample, your own data, a recent workspace or a file."""
