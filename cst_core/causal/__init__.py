"""The causal model: its graph, its equations, and the counterfactuals that follow."""
