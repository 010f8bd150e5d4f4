"""History and sharing: what changed, versions, the link, files, and deleting for good."""
