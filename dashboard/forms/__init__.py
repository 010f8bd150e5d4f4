"""Forms for the parts of a case; each shows what is, and saves what was changed."""
