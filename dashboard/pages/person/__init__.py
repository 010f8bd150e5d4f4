"""One person: find a complainant, and follow her case step by step."""
