"""What every request passes before anything else sees it: who may ask, how often, and from where.

- The host that a request names (Host) must be one of ours. A page whose own name was made to lead to this
  address (DNS rebinding) sends that name. Numeric addresses cannot be made to lead elsewhere.
- Requests that change something, or stay open, must not come from a page of another origin: browsers say
  where a request comes from (Origin, Sec-Fetch-Site).
- A client, which is an address or a network, may make a limited number of requests a second, minute and day.
- All answers tell the browser to run nothing but files of ours, and to show them in no frame.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from attrs import define, field
from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import RateLimiter, SlidingWindowCounterRateLimiter
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The longest body (bytes); the application itself counts them.
MOST_BODY = 256 * 1024

#: The most tables that one client may watch at the same time.
MOST_OPEN = 50

#: How often one client may make requests that only look.
LOOKING = "200/second;6000/minute"
#: Those that work on rules or change something, and those among them that take much time or room.
ACTING = "30/second;600/minute"
HEAVY = "20/second;120/minute;3000/day"
#: The paths of the latter.
WEIGHTY = re.compile(r"/api/(files|tables|records|analyses)(/[^/]*(/hint)?)?$")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

#: The name of a machine; then a host, which is such a name or a numeric address, with or without a port.
NAME = re.compile(r"[a-z0-9._-]+")
_HOST = re.compile(rf"(?P<name>\[[0-9a-f:.]+\]|{NAME.pattern})(:[0-9]{{1,5}})?")

SAFE = {"GET", "HEAD", "OPTIONS"}


@define(eq=False)
class Guard:
    """Wraps an application; `names` are the hosts it answers for besides numeric addresses."""

    app: ASGIApp
    names: frozenset[str]
    limited: bool = True
    _limiter: RateLimiter = field(init=False)
    _open: Counter[str] = field(init=False, factory=Counter)

    @_limiter.default
    def _make_limiter(self) -> RateLimiter:
        return SlidingWindowCounterRateLimiter(MemoryStorage())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    given.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(sending, *refusal)
        elif scope["path"].endswith("/events"):
            await self._stay(scope, receive, sending)
        else:
            await self.app(scope, receive, sending)

    async def _stay(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that stays open."""
        client = client_of(scope)
        if self.limited and self._open[client] >= MOST_OPEN:
            await _refuse(send, 429, "You watch too many tables.")
            return
        self._open[client] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[client] -= 1
            self._open += Counter()  # forget clients that have left

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Status and sentence for a request that goes no further, else None."""
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._is_ours(host):
            return 400, "This is not the name of this server."
        path, method = scope["path"], scope["method"]
        if not path.isprintable():  # parsers disagree on where such a path ends
            return 400, "This is no address."
        if (method not in SAFE or path.endswith("/events")) and not _same_origin(headers, host):
            return 403, "This page belongs to another server."
        if self.limited:
            for kind, items in _rates(method, path):
                if not all(self._limiter.hit(item, kind, client_of(scope)) for item in items):
                    return 429, "Too many requests; wait a moment."
        return None

    def _is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        if found["name"] in self.names:
            return True
        try:
            ipaddress.ip_address(found["name"].strip("[]"))
        except ValueError:
            return False
        return True


def client_of(scope: Scope) -> str:
    """The client that makes a request, by its address."""
    return network_of(scope["client"][0]) if scope.get("client") else ""


@lru_cache(maxsize=1024)
def network_of(host: str) -> str:
    """The client an address belongs to; with IPv6, one person has 2 ** 64 of them."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, ipaddress.IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False))


def _rates(method: str, path: str) -> list[tuple[str, Sequence[RateLimitItem]]]:
    """The limits that a request counts towards, by name."""
    if method in SAFE:
        return [("looking", _PARSED[LOOKING])]
    heavy = [("heavy", _PARSED[HEAVY])] if WEIGHTY.match(path) else []
    return [("acting", _PARSED[ACTING]), *heavy]


_PARSED = {text: parse_many(text) for text in (LOOKING, ACTING, HEAVY)}


def _same_origin(headers: Headers, host: str) -> bool:
    """Whether no page of another origin is asking; programs other than browsers send no such headers."""
    origin = headers.get("origin")
    if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
        return False
    return headers.get("sec-fetch-site", "none") in ("same-origin", "none")


async def _refuse(send: Send, status: int, says: str) -> None:
    body = json.dumps({"detail": says}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
