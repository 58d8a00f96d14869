"""The fields of a form, as clients send it that upload an image (RFC 7578).

Reads a body and its content type; returns the short text fields. Never keeps a file.
"""

from __future__ import annotations

from email import message_from_bytes
from email.message import Message
from typing import Any

MAX_FIELD = 1000


def form_fields(content_type: str, body: bytes) -> dict[str, Any]:
    """Text fields by name; `stream` as a boolean. ValueError where the body is no form."""
    form = message_from_bytes(
        b"Content-Type: " + content_type.encode("latin-1") + b"\r\n\r\n" + body
    )
    parts = form.get_payload()
    if not form.is_multipart() or not isinstance(parts, list):
        raise ValueError("the body is no form")
    found: dict[str, Any] = {}
    for part in parts:
        if not isinstance(part, Message) or part.get_filename() is not None:
            continue
        name, value = part.get_param("name", header="Content-Disposition"), part.get_payload(
            decode=True
        )
        if isinstance(name, str) and isinstance(value, bytes) and len(value) <= MAX_FIELD:
            found[name] = value.decode("utf-8", "replace")
    return {**found, "stream": found.get("stream") == "true"}
