"""Scenarios: final objects as data, and the events that stream them; for vectors, the server and the bench."""
