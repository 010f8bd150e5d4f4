"""Robustness: how many findings stand when something that was assumed is changed."""
