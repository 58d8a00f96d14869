"""Two responses side by side on one WebSocket, one of them steered: python websocket_lanes.py URL MODEL MODEL [HEADER...]

python websocket_lanes.py wss://api.openai.com/v1/responses gpt-4o gpt-4o "Authorization: Bearer $OPENAI_API_KEY"
python websocket_lanes.py ws://127.0.0.1:8484/v1/responses text refusal "X-Fault: stall=16"

The first lane is steered as soon as it has begun: its response ends early, and another one follows in its lane. Prints what
becomes of the steering, and for each lane its responses with their text.
"""

from __future__ import annotations

import json
import sys

from websockets.sync.client import ClientConnection, connect

from stream_events.responses import websocket as ws

ENDS = (ws.ResponseCompletedEvent, ws.ResponseIncompleteEvent, ws.ResponseFailedEvent)


def send(socket: ClientConnection, event: ws.ClientEvent) -> None:
    socket.send(json.dumps(ws.encode(event)))


def main(url: str, steered: str, other: str, *headers: str) -> None:
    lanes, running = ws.Lanes(), {"steered", "other"}
    sent = dict(line.split(": ", 1) for line in headers)
    with connect(url, additional_headers=sent, max_size=None) as socket:
        for lane, model in (("steered", steered), ("other", other)):
            asked = ws.ResponsesClientEventResponseCreate(model=model, input="Go.", stream_id=lane)
            send(socket, asked)
        is_sent = False
        while running:
            name, event = lanes.add(socket.recv(timeout=60))
            if isinstance(event, ws.ResponseCreatedEvent) and name == "steered" and not is_sent:
                send(socket, ws.ResponseSteerEvent(event.response.id, "Rather in French."))
                is_sent = True
            elif isinstance(event, ws.ResponseSteerAcceptedEvent):
                print(f"{name}: steering accepted")
            elif isinstance(event, ws.ResponseSteerFailedEvent):
                print(f"{name}: steering failed, {event.error.message}")
            elif isinstance(event, ws.ResponseWsError):
                sys.exit(f"{name}: {event.error.message}")
            elif isinstance(event, ENDS):
                details = event.response.incomplete_details
                if details is None or details.reason != "steered":
                    running.discard(name or "")
    lanes.close()
    for name in lanes.lanes:
        for problem in lanes[name].problems:
            print(f"{name}: {problem.level}: {problem}", file=sys.stderr)
        for response in [*lanes[name].predecessors, lanes[name].final]:
            print(f"{name}: {response.id} {response.status}")
        print(f"{name}: {lanes[name].text() or lanes[name].refusal()}")


main(*sys.argv[1:])
