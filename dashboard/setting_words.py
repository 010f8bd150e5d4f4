"""What the settings are called on the screen and in files."""

from __future__ import annotations

PRESET_LABELS = {
    "paper": "as in the paper",
    "strict": "strict",
    "published-like": "like the authors' own runs",
}
TIES = {
    "expected": "share the places left, equally",
    "first": "earlier rows of the table first",
    "last": "later rows of the table first",
}
DIRECTIONS = {"against": "against the protected group", "favour": "in its favour"}
INTERVALS = {
    "wald": "Wald",
    "agresti-caffo": "Agresti–Caffo",
    "newcombe": "Newcombe",
    "score": "Miettinen–Nurminen",
    "exact": "exact",
}
INTERVAL_REMARKS = {"wald": " (the paper's)", "score": " (score)", "exact": " (slow for large k)"}
CORRECTIONS = {
    "none": "none: everyone as if she were the only one",
    "bh": "Benjamini–Hochberg",
    "by": "Benjamini–Yekutieli",
}
SEVERAL = {
    "bonferroni": "α divided by their number (Bonferroni)",
    "intersection-union": "α for each (intersection–union)",
}
FORMS = {
    "paper": "as in the paper: one attribute that joins them",
    "full": "in full: every attribute and their products",
}
