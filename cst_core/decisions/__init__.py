"""Decision makers b(): who decides, from a person's attributes."""
