"""Small streams for tests of the linter."""
