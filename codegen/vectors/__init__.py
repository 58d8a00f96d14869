"""Test vectors for any language: reading, checking and running them. Never part of the pipeline: it reads what was generated."""
