"""A loopback server that plays streams to a client under test.

Reads scenarios, fragments and recorded files; answers requests. Never part of the vendored package.
"""
