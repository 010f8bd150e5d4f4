"""What one browser tab has open, and what was computed for it."""
