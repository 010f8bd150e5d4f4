"""Long computations: asked for by a button, done beside the page, kept with the workspace."""
