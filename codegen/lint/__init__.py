"""Whether a recorded stream is right: readers of captures, the rules that streams keep, and reports.

Reads recorded bytes, the catalogue and the generated package; returns findings. Never changes a capture, and never says
again what the package's own problems say.
"""
