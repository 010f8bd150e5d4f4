"""Story: who complains, what was decided, what is asked and what was found, on one screen."""
