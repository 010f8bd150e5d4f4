"""What stands around and between the pages, and needs what the browser has open."""
