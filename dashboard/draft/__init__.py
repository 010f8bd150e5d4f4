"""A case in preparation: the document, what can be done to it, and how it becomes a scenario."""
