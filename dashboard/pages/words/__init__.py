"""Words: what each word means, and what the method cannot show."""
