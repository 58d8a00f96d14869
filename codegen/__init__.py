"""Typed models for the event streams of LLM APIs, generated from the specification."""

from __future__ import annotations

VERSION = "0.1.0"
