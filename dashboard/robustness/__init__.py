"""How far the evidence depends on what was assumed: computed on request, kept with the case."""
