"""The evidence: results of the tests, as sentences, figures, tables and files."""
