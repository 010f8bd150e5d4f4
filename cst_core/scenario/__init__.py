"""One file that holds a whole case: data, roles, causal models, decision maker, settings."""
