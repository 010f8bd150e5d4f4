"""Findings: how many people, what the causal model changes, and several attributes at once."""
