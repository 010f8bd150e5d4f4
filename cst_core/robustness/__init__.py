"""How far a verdict depends on what was assumed: placebo, neighbourhood balance, and rivals."""
