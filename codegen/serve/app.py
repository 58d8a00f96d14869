"""The server's HTTP side: which play a request gets, and how.

Reads requests; answers with streams, final objects and errors. Never waits for one client to serve another, and keeps
nothing of a client but which responses were played.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute

from codegen.serve.faults import BadFault, Fault, changed, delivered, error_text, read_faults
from codegen.serve.faults import require_possible
from codegen.serve.form import form_fields
from codegen.serve.index import index
from codegen.serve.library import Library, NoPlay, Play
from codegen.serve.replies import Streamed, error_reply, played_name
from codegen.serve.socket import Limits, Socket

ENDPOINTS = {
    "/v1/responses": "responses",
    "/v1/chat/completions": "chat",
    "/v1/completions": "completions",
    "/v1/messages": "messages",
    "/v1/images/generations": "images-generations",
    "/v1/images": "images-generations",
    "/v1/images/edits": "images-edits",
}
"""Path of a POST request → stream that it plays."""


@dataclass(frozen=True)
class Settings:
    """What the command line sets.

    max_body  bytes that a request's body may have
    pace      seconds before each event
    hosts     names in the Host header that are answered; all where there is none
    """

    max_body: int = 4 * 1024 * 1024
    pace: float = 0.0
    hosts: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)


class Refused(Exception):
    """A request that gets an error: its status, code and what is wrong."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code = status, code


def create_app(library: Library, settings: Settings = Settings()) -> Starlette:
    """The ASGI application."""
    desk = Desk(library, settings)
    routes: list[Any] = [Route("/", desk.index)]
    routes += [Route(path, desk.play, methods=["POST"]) for path in ENDPOINTS]
    routes.append(Route("/v1/responses/{identity}", desk.resume))
    routes.append(WebSocketRoute("/v1/responses", desk.socket))
    middleware = []
    if settings.hosts:
        middleware.append(Middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts)))
    errors: dict[Any, Any] = {404: _no_such, 405: _no_such}
    app = Starlette(routes=routes, middleware=middleware, exception_handlers=errors)
    app.router.redirect_slashes = False
    return app


async def _no_such(request: Request, error: Any) -> Response:
    """The answer to a path or a method that there is not, in the words of the API whose path it is."""
    stream = ENDPOINTS.get(request.url.path, "responses")
    message = f"There is no {request.method} {request.url.path}; GET / lists what there is."
    return error_reply(stream, error.status_code, message, headers=error.headers)


class Desk:
    """The endpoints. `played`: id → play, for resuming; it holds no more than there are plays."""

    def __init__(self, library: Library, settings: Settings) -> None:
        self._library = library
        self._settings = settings
        self._played: dict[str, Play] = {}

    async def index(self, request: Request) -> Response:
        """All that can be played."""
        return index(request, self._library, ENDPOINTS)

    async def play(self, request: Request) -> Response:
        """POST: a stream, or the final object."""
        stream = ENDPOINTS[request.url.path]
        try:
            faults = _faults(request)
            body = await _body(request, self._settings.max_body)
            self._require_known(body.get("previous_response_id"))
            name = played_name(request.headers) or self._named(stream, body)
            play = self._library.find(stream, name)
            _require_possible(faults, play.frames, body.get("stream") is True)
        except (Refused, NoPlay) as error:
            return _refusal(stream, error)
        if stream == "responses" and play.identity:
            self._played[play.identity] = play
        return self._answered(play, play.frames, faults, body.get("stream") is True)

    async def resume(self, request: Request) -> Response:
        """GET: a response that was played, whole or what comes after an event."""
        identity, query = request.path_params["identity"], request.query_params
        try:
            play = self._played.get(identity)
            if play is None:
                raise Refused(404, f"Response with id '{identity}' not found.")
            after = query.get("starting_after", "-1")
            if not re.fullmatch(r"-?[0-9]{1,18}", after):
                raise Refused(400, f"starting_after is {after!r} and not a number")
            if int(after) > max(play.last, 0):
                what = f"starting_after is {after}, and the last event has the number {play.last}"
                raise Refused(400, what)
            faults = _faults(request)
            is_stream = query.get("stream", "").lower() in ("true", "1")
            frames = play.after(int(after)) if "starting_after" in query else play.frames
            _require_possible(faults, frames, is_stream)
        except Refused as error:
            return _refusal("responses", error)
        return self._answered(play, frames, faults, is_stream)

    async def socket(self, websocket: Any) -> None:
        """WebSocket: lanes of responses."""
        known = set(self._played)
        settings = self._settings
        await Socket(websocket, self._library, settings.limits, known, settings.pace).run()

    def _answered(
        self, play: Play, frames: Any, faults: tuple[Fault, ...], is_stream: bool
    ) -> Response:
        stream, headers = play.framing.stream, {
            "X-Play": play.name.encode("ascii", "replace").decode()
        }
        numbers = dict(faults)
        if "rate-limit" in numbers:
            headers["Retry-After"] = str(numbers["rate-limit"])
            return error_reply(stream, 429, "Too many requests.", "rate_limit_exceeded", headers)
        if "error-body" in numbers:
            body = error_text(play.framing)
            return Response(body, headers=headers, media_type="application/json")
        if is_stream:
            made = delivered(changed(frames, faults, play.framing), faults)
            return Streamed(made, headers, self._settings.pace)
        if play.answer is None:
            message = f"the recording {play.name!r} has no final object: ask with stream: true"
            return error_reply(stream, 400, message)
        return JSONResponse(play.answer, headers=headers)

    def _named(self, stream: str, body: dict[str, Any]) -> str:
        """The play that the model's name chooses; the first one for a model of another name."""
        model = body.get("model")
        if isinstance(model, str) and self._library.has(stream, model):
            return model
        return self._library.default(stream)

    def _require_known(self, previous: object) -> None:
        is_known = isinstance(previous, str) and previous in self._played
        if previous is not None and not is_known:
            message = f"Previous response with id '{previous}' not found."
            raise Refused(400, message, "previous_response_not_found")


def _faults(request: Request) -> tuple[Fault, ...]:
    try:
        return read_faults(request.headers.get("X-Fault", ""))
    except BadFault as error:
        raise Refused(400, f"X-Fault: {error}") from None


def _require_possible(faults: tuple[Fault, ...], frames: Any, is_stream: bool) -> None:
    try:
        require_possible(faults, len(frames), is_stream)
    except BadFault as error:
        raise Refused(400, f"X-Fault: {error}") from None


async def _body(request: Request, limit: int) -> dict[str, Any]:
    """The body as a JSON object; not read further than its limit."""
    data = bytearray()
    announced = request.headers.get("Content-Length", "")
    too_large = Refused(413, f"The body is larger than {limit} bytes.")
    if re.fullmatch("[0-9]+", announced) and int(announced[:18]) > limit:
        raise too_large
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > limit:
                raise too_large
        value = _value(request.headers.get("Content-Type", ""), bytes(data))
    except ClientDisconnect:
        raise Refused(400, "The client left before its request was whole.") from None
    except (ValueError, RecursionError):
        raise Refused(400, "The body is not JSON.") from None
    if not isinstance(value, dict):
        raise Refused(400, "The body is not a JSON object.")
    return value


def _value(content_type: str, data: bytes) -> Any:
    """The body as a value; JSON, whatever its type says, but for a form."""
    if content_type.lower().startswith("multipart/form-data"):
        return form_fields(content_type, data)
    return json.loads(data or b"{}")


def _refusal(stream: str, error: Refused | NoPlay) -> Response:
    if isinstance(error, NoPlay):
        return error_reply(stream, 404, str(error), "play_not_found")
    return error_reply(stream, error.status, str(error), error.code)
