"""Several attributes: single, multiple and intersectional tests side by side."""
