"""Who is like whom: distance, neighbour search, ties."""
