"""How often the test is right where the truth is known: simulated people, known equations."""
