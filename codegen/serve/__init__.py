"""A loopback server that plays streams to a client under test, and the composer that makes them from scenarios.

Reads scenarios, fragments and recorded files; answers requests. Never part of the vendored package.
"""
