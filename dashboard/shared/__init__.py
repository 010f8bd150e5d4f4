"""What pages share and needs no session: text, theme, figures and words."""
