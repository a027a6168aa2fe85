"""Sends requests to one service: TLS, proxies, timeouts, retries. Every response is checked before it is used."""

import base64
import contextlib
import copy
import http.client
import json
import random
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, TypeVar, Union
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import ApiError, KitsealError, NetworkError, RedirectError

T = TypeVar("T")
Json = Dict[str, Any]
Body = Union[bytes, Iterator[bytes], None]

IS_THIS_KITSEAL = "Is this a kitseal service? Check the URL."
LONGEST_JSON = 64 * 2**20
PIECE = 2**18
#: Uploads and downloads have no limit, but one that stands still is given up.
STALLED = 600.0
TRANSIENT = {408, 429, 500, 502, 503, 504}
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True)
class RetryPolicy:
    """At most `attempts` without progress; 1 disables retries. The delay is random, up to `base` seconds, and doubles up to `cap`.

    If the service asks for more than `cap` with Retry-After, the error is raised instead.
    """

    attempts: int = 5
    base: float = 0.5
    cap: float = 30.0
    #: Called before each delay with the error, the attempt that failed and the delay.
    on_retry: Optional[Callable[[KitsealError, int, float], None]] = None


class Response:
    """A response whose body is not read yet."""

    def __init__(self, transport: "Transport", method: str, url: str, raw: http.client.HTTPResponse, end: float) -> None:
        self.transport, self.method, self.url, self.raw, self.end = transport, method, url, raw, end
        self.status, self.headers = raw.status, raw.headers

    def pieces(self) -> Iterator[bytes]:
        while True:
            self.transport.check()
            try:
                piece = self.raw.read1(PIECE)
            except (OSError, http.client.HTTPException) as error:
                raise network_error(self.method, self.url, error, self.transport.timeout) from error
            if not piece:
                break
            yield piece
            if time.monotonic() > self.end:
                raise NetworkError(self.method, self.url, "no response within %g s" % self.transport.timeout)
        # http.client ends a body that is too short without an error.
        if self.raw.length:
            raise NetworkError(self.method, self.url, "connection lost")

    def read(self) -> bytes:
        data = bytearray()
        for piece in self.pieces():
            data += piece
            if len(data) > LONGEST_JSON:
                raise self.unexpected("a response of more than %d MiB" % (LONGEST_JSON // 2**20))
        return bytes(data)

    def json(self) -> Json:
        data = self.read()
        try:
            value = json.loads(data.decode("utf-8"), object_pairs_hook=_members, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise self.unexpected("a response that is not JSON") from None
        # Every JSON response of the service has a boundary, except the key set, whose format is a standard.
        if not isinstance(value, dict) or not (
            isinstance(value.get("boundary"), str) or isinstance(value.get("keys"), list)
        ):
            raise self.unexpected("an unexpected response")
        return value

    def unexpected(self, what: str) -> ApiError:
        text = "%s returned %s. %s" % (self.url, what, IS_THIS_KITSEAL)
        return ApiError(text, self.status, "answer_not_understood", None, self.headers.get("x-request-id") or "")

    def error(self) -> KitsealError:
        if 300 <= self.status < 400:
            return RedirectError(self.method, self.url, self.headers.get("location"))
        request_id = self.headers.get("x-request-id") or ""
        message, code, param = "%s returned %d. %s" % (self.url, self.status, IS_THIS_KITSEAL), "answer_not_understood", None
        with contextlib.suppress(ValueError, RecursionError, AttributeError, ApiError):
            value = json.loads(self.read().decode("utf-8"), object_pairs_hook=_members)
            texts = [value.get(name) for name in ("code", "message", "request_id")]
            if all(isinstance(text, str) for text in texts):
                code, message, request_id = texts
                param = value["param"] if isinstance(value.get("param"), str) else None
        retry_after = seconds_until(self.headers.get("retry-after"))
        return ApiError(message, self.status, code, param, request_id, retry_after)


class Transport:
    """How to reach the service. It has no state, so it serves all threads of a program."""

    def __init__(
        self, base_url: str, api_key: Optional[str], headers: Mapping[str, str], timeout: float, retry: RetryPolicy,
        ca_file: Optional[str]
    ) -> None:
        self.address, self.base_url = _parse_base_url(base_url)
        if api_key is not None and not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("the API key is empty, or contains spaces or non-ASCII characters")
        self.headers = dict(headers, **({} if api_key is None else {"x-api-key": api_key}))
        self.timeout, self.retry = timeout, retry
        self.proxy = _proxy_for(self.address)
        self.tls = None
        if self.address.scheme == "https":
            self.tls = ssl.create_default_context(cafile=ca_file)
            self.tls.minimum_version = ssl.TLSVersion.TLSv1_2
        self.stop = threading.Event()

    def stoppable(self) -> "Transport":
        """The same with a `stop` of its own, to end one call from another thread."""
        other = copy.copy(self)
        other.stop = threading.Event()
        return other

    def check(self) -> None:
        if self.stop.is_set():
            raise KitsealError("cancelled")

    def pause(self, seconds: float) -> None:
        self.stop.wait(max(0.0, seconds))
        self.check()

    def json(self, method: str, path: str, headers: Mapping[str, str] = {}, body: Body = None, **more: Any) -> Json:
        """Sends a request once and parses the JSON response."""
        with self.send(method, path, headers, body, **more) as response:
            return response.json()

    @contextlib.contextmanager
    def send(
        self, method: str, path: str, headers: Mapping[str, str] = {}, body: Body = None, is_long: bool = False
    ) -> Iterator[Response]:
        """Sends a request once. Raises ApiError for an error status, and NetworkError without a response."""
        self.check()
        url, timeout = self.base_url + path, STALLED if is_long else self.timeout
        end = float("inf") if is_long else time.monotonic() + timeout
        connection = self._connection(timeout)

        def step(call: Callable[..., T], *args: Any) -> T:
            """Only errors of the connection are network errors, not those of the file that is read for the body."""
            try:
                return call(*args)
            except (OSError, http.client.HTTPException) as error:
                raise network_error(method, url, error, timeout) from error

        raw = None
        try:
            step(self._send_head, connection, method, path, headers, body if isinstance(body, bytes) else None)
            for piece in body if body is not None and not isinstance(body, bytes) else ():
                self.check()
                try:
                    step(connection.send, piece)
                except NetworkError as error:
                    if isinstance(error.__cause__, (BrokenPipeError, ConnectionResetError)):
                        # The service may have answered before it received everything.
                        break
                    raise
            raw = step(connection.getresponse)
            response = Response(self, method, url, raw, end)
            if not 200 <= response.status < 300:
                raise response.error()
            if response.headers.get("content-encoding", "identity") != "identity":
                raise response.unexpected("a compressed response, which was not asked for")
            yield response
        finally:
            if raw is not None:
                raw.close()
            connection.close()

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        host, port = self.address.hostname or "", self.address.port or (443 if self.tls else 80)
        to_host, to_port = (host, port) if self.proxy is None else self.proxy[0]
        if self.tls is None:
            return http.client.HTTPConnection(to_host, to_port, timeout=timeout)
        connection = http.client.HTTPSConnection(to_host, to_port, timeout=timeout, context=self.tls)
        if self.proxy is not None:
            connection.set_tunnel(host, port, self.proxy[1])
        return connection

    def _send_head(
        self, connection: http.client.HTTPConnection, method: str, path: str, headers: Mapping[str, str], body: Body
    ) -> None:
        all_headers = {"accept": "application/json", "user-agent": "kitseal-python", **self.headers, **headers}
        target = self.address.path.rstrip("/") + path
        if self.proxy is not None and self.tls is None:
            target = self.base_url + path
            all_headers.update(self.proxy[1])
        connection.putrequest(method, target)
        for name, value in all_headers.items():
            connection.putheader(name, value)
        if isinstance(body, bytes):
            connection.putheader("content-length", str(len(body)))
        connection.putheader("connection", "close")
        connection.endheaders(body)

    def retrying(self, attempt: Callable[[Callable[[], None]], T]) -> T:
        """Repeats `attempt` after a transient error. It calls its argument when it makes progress."""
        failures = 0

        def on_progress() -> None:
            nonlocal failures
            failures = 0

        while True:
            try:
                return attempt(on_progress)
            except (ApiError, NetworkError) as error:
                failures += 1
                delay = self._delay(error, failures) if _is_transient(error) else None
                if delay is None or failures >= self.retry.attempts:
                    raise
                if self.retry.on_retry is not None:
                    self.retry.on_retry(error, failures, delay)
                self.pause(delay)

    def _delay(self, error: KitsealError, failures: int) -> Optional[float]:
        base, cap = self.retry.base, self.retry.cap
        jitter = random.random() * min(cap, base * 2.0 ** (failures - 1))
        asked = error.retry_after if isinstance(error, ApiError) else None
        if asked is None:
            return jitter
        return None if asked > cap else asked + min(jitter, base)


def _is_transient(error: KitsealError) -> bool:
    if isinstance(error, NetworkError):
        return error.is_transient
    # The service may not have noticed yet that the previous upload was interrupted.
    return isinstance(error, ApiError) and (error.status in TRANSIENT or error.code == "upload_in_progress")


def seconds_until(value: Optional[str]) -> Optional[float]:
    """Retry-After, in seconds. A date, which the service does not send, is ignored."""
    return float(value) if value is not None and re.fullmatch(r"[0-9]{1,9}", value.strip()) else None


def network_error(method: str, url: str, error: Exception, timeout: float) -> NetworkError:
    """An error of the connection, with its reason in words."""
    reasons: List[Tuple[Any, str, bool]] = [
        (ssl.SSLCertVerificationError, "the certificate is not trusted: %s" % getattr(error, "verify_message", ""), False),
        (ssl.SSLEOFError, "connection lost", True),
        (ssl.SSLError, "TLS failed: %s" % getattr(error, "reason", ""), False),
        (socket.timeout, "no response within %g s" % timeout, True),
        (ConnectionRefusedError, "connection refused", True),
        (socket.gaierror, "host not found", True),
        ((ConnectionError, http.client.RemoteDisconnected, http.client.IncompleteRead), "connection lost", True),
        (http.client.HTTPException, "the response is not valid HTTP", False),
    ]
    for kind, reason, is_transient in reasons:
        if isinstance(error, kind):
            return NetworkError(method, url, reason, is_transient)
    refused = re.fullmatch("Tunnel connection failed: (.*)", str(error), re.S)
    if refused:
        return NetworkError(method, url, "the proxy refused the connection: %s" % refused.group(1).strip(), False)
    return NetworkError(method, url, getattr(error, "strerror", None) or str(error) or "connection failed")


def _parse_base_url(text: str) -> Tuple[SplitResult, str]:
    try:
        url = urlsplit(text if re.fullmatch(r"[\x21-\x7e]+", text) else "")
        is_plain = not (url.username or url.password or url.query or url.fragment or "?" in text or "#" in text)
        if url.scheme in ("http", "https") and url.hostname and is_plain and url.port != 0:
            return url, text.rstrip("/")
    except ValueError:
        pass
    raise ValueError("invalid base URL %r: expected http(s)://host[:port][/path]" % text)


def _proxy_for(url: SplitResult) -> Optional[Tuple[Tuple[str, int], Dict[str, str]]]:
    """Address and headers of the proxy that HTTPS_PROXY or HTTP_PROXY names, unless NO_PROXY names the host."""
    host = url.hostname or ""
    given = None if host in LOOPBACK or proxy_bypass(host) else getproxies().get(url.scheme)
    if not given:
        return None
    proxy = urlsplit(given if "://" in given else "http://" + given)
    if proxy.scheme != "http" or not proxy.hostname:
        name = url.scheme.upper() + "_PROXY"
        raise ValueError("%s is not the URL of an http proxy, such as http://proxy.example:3128" % name)
    headers = {}
    if proxy.username is not None:
        login = "%s:%s" % (unquote(proxy.username), unquote(proxy.password or ""))
        headers["Proxy-Authorization"] = "Basic " + base64.b64encode(login.encode("utf-8")).decode("ascii")
    return (proxy.hostname, proxy.port or 80), headers


def text_of(record: Json, name: str) -> str:
    """A member that is used. Responses are refused without it."""
    value = record.get(name)
    if not isinstance(value, str):
        raise ApiError("the response has no %s. %s" % (name, IS_THIS_KITSEAL), 200, "answer_not_understood")
    return value


def _members(pairs: List[Tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("duplicate member name")
    return value


def _refuse(name: str) -> None:
    raise ValueError(name)
