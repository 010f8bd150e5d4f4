"""Overview: the result in a sentence, the table of counts, and the curves over k."""
