"""The events of a message.

Reads a scenario of the stream `messages`; returns payloads. Never sends a block's parts out of order: blocks follow each
other, as the API has it.
"""

from __future__ import annotations

import json

from codegen.scenarios.pieces import cut
from codegen.scenarios.scenario import Scenario, Value

AT_END = ("stop_reason", "stop_sequence", "stop_details", "container")
"""Properties of the message that its `message_delta` brings."""
OUTPUT_USAGE = ("output_tokens", "output_tokens_details", "server_tool_use")
"""Properties of the usage that are known only at the end."""


def events(scenario: Scenario) -> list[Value]:
    """The message without content, a ping, each block, what is known at the end, the end."""
    final = scenario.final
    usage = final["usage"]
    begun = {name: None if name in AT_END else value for name, value in final.items()}
    early = {name: value for name, value in usage.items() if name not in OUTPUT_USAGE}
    start: Value = {**begun, "content": [], "usage": {**early, "output_tokens": 1}}
    made: list[Value] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for index, block in enumerate(final["content"]):
        empty, deltas = _block(block, scenario.streaming.pieces)
        made.append({"type": "content_block_start", "index": index, "content_block": empty})
        made += [
            {"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas
        ]
        made.append({"type": "content_block_stop", "index": index})
    known = {name: final[name] for name in AT_END if name in final}
    late = {name: usage[name] for name in OUTPUT_USAGE if name in usage}
    return [
        *made,
        {"type": "message_delta", "delta": known, "usage": late},
        {"type": "message_stop"},
    ]


def _block(block: Value, pieces: str | int) -> tuple[Value, list[Value]]:
    """A block as it begins, and its deltas. What is not streamed, such as a result, comes whole at the beginning."""
    if block["type"] == "text":
        deltas: list[Value] = [
            {"type": "text_delta", "text": each} for each in cut(block["text"], pieces)
        ]
        notes = block.get("citations") or ()
        deltas += [{"type": "citations_delta", "citation": note} for note in notes]
        empty = {**block, "text": ""}
        return ({**empty, "citations": []} if notes else empty), deltas
    if block["type"] == "thinking":
        deltas = [
            {"type": "thinking_delta", "thinking": each} for each in cut(block["thinking"], pieces)
        ]
        deltas.append({"type": "signature_delta", "signature": block["signature"]})
        return {**block, "thinking": "", "signature": ""}, deltas
    if block["type"] in ("tool_use", "server_tool_use"):
        whole = json.dumps(block["input"], ensure_ascii=False) if block["input"] else ""
        deltas = [
            {"type": "input_json_delta", "partial_json": each} for each in ["", *cut(whole, pieces)]
        ]
        return {**block, "input": {}}, deltas
    return block, []
