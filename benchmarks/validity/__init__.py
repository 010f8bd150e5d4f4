"""How often each interval and test errs, by enumeration of every table (make validate)."""
