"""Shares of negative decisions, their difference, and how sure it is."""
