"""Opening and saving scenes, and bringing back unsaved work."""
