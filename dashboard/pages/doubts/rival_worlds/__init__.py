"""Rival worlds: everyone's verdict in each causal model of the case."""
