"""How much the generator is ready to read.

Reads nothing; returns constants, each named in the error that it causes; never enforces one itself.
The largest upstream document has 3.4 MB, 110,000 nodes and a depth of 21, so every limit leaves room
for years of growth and still ends a hostile document within seconds.
"""

from __future__ import annotations

MAX_BYTES = 16 * 1024 * 1024
"""Size of one document, overlay or fragment, in bytes."""

MAX_DEPTH = 100
"""Collections within collections, counted from the root, which is 1; aliases count where they are used."""

MAX_NODES = 2_000_000
"""Keys and values of one document after every alias was expanded."""

FETCH_SECONDS = 30
"""Time for one document to arrive from a URL, from the first connection to the last byte."""
