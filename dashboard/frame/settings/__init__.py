"""The settings of the evidence: their form, their place in the link, and what a k can show."""
