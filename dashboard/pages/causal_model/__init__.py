"""Causal model: the drawing, its equations, and what follows from them."""
