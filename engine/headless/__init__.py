"""One function a verb of the command line. Never Qt."""
