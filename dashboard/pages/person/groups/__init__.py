"""Groups: who is in the control and test groups."""
