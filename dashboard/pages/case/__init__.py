"""Case: open one, tell its story, and say what its table means."""
