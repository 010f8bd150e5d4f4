"""Two worlds: each attribute as it is and as it would be."""
