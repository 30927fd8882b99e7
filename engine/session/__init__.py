"""THE ONE OWNER OF STATE. Never Qt."""
