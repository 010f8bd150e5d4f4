"""The tests: single, multiple, intersectional, and the paper's summaries of them."""
