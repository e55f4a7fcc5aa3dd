"""Integrations with frameworks. Import the one that you use; saiban imports none of them."""
