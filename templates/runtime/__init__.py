"""The runtime modules as they stand, before they are copied into a generated package.

Standard library only, Python 3.10 and later. They import one another relatively, and never
anything else of ours.
"""
