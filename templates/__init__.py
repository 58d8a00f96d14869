"""What the generated package is rendered from: layout templates, and real Python in `runtime`.

Imported by tests only; the generator reads the files as text. Never imported by the generated
package.
"""
