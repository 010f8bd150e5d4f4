"""One complainant: finding her, and her case step by step."""
