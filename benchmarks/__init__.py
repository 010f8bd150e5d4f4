"""Side-by-side speed: one table of ratios, measured in one run against the alternatives."""
