"""Doubts: how far the findings hang on the settings, the equations and the causal model."""
