"""Wrong implementations, each with the flags of the cases that find it.

Reads nothing; a list. Each is a mistake that someone made or could make; none is right.
"""

from __future__ import annotations

from typing import Any

from tests.vectors.mutants_chat import CHAT, MESSAGES
from tests.vectors.mutants_framing import FRAMING, PAYLOADS, STREAMS
from tests.vectors.mutants_responses import RESPONSES

MUTANTS: list[Any] = [*FRAMING, *PAYLOADS, *STREAMS, *RESPONSES, *CHAT, *MESSAGES]
