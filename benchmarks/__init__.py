"""Side-by-side speed, printed as ratios measured in one run."""
