"""How fast the workbench answers: in one browser, with thirty nodes, and for 25 people at once."""
