"""The client for a kitseal service."""

import copy
import hashlib
import itertools
import json
import os
import pathlib
import re
import secrets
import time
from dataclasses import dataclass
from typing import Any, BinaryIO, Callable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote, urlencode

from . import _uploads
from ._files import OnProgress, Target, download, saving
from ._operations import ABSENT, Operations
from ._transport import Json, RetryPolicy, Transport, seconds_until, text_of
from ._uploads import OnSent, segment
from .errors import ApiError, NotSealedError, NotVerifiedError, WaitTimeout
from .evidence import Evidence, evidence_in
from .verification import Path, Trust, VerificationReport, verify_kit

#: Seconds that methods wait for a result, unless they are told otherwise.
WAIT = 600.0
FIRST_DELAY, MAX_DELAY = 0.05, 5.0
EVENTS_PER_PAGE, POLL_EVENTS_EVERY = 1000, 1.0


@dataclass(frozen=True)
class VerifiedKit:
    """A kit that was verified with the caller's trust before it was saved."""

    kit_id: str
    path: pathlib.Path
    report: VerificationReport


@dataclass(frozen=True)
class SealedKit(VerifiedKit):
    """A kit that was sealed, verified and saved. `findings` has what was noticed in the evidence and did not block it."""

    submission_id: str
    findings: List[Json]


class Client(Operations[Json, None]):
    """Calls a kitseal service. It has no state, so one client can serve all threads of a program.

    `base_url` is the URL of the service, such as `https://kitseal.example`. `timeout` is that of requests, in seconds;
    uploads and downloads have none. `ca_file` has the certificates, in PEM, that TLS trusts instead of the system's.
    Proxies are those of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Redirects are not followed.

    >>> client = Client(os.environ["KITSEAL_URL"], os.environ["KITSEAL_API_KEY"])
    >>> client.me()["scopes"]
    ['submit', 'read', 'requests', 'shares', 'admin']
    """

    def __init__(
        self, base_url: str, api_key: Optional[str] = None, *, timeout: float = 30.0,
        retry: RetryPolicy = RetryPolicy(), ca_file: Optional[str] = None, headers: Mapping[str, str] = {}
    ) -> None:
        self._transport = Transport(base_url, api_key, headers, timeout, retry, ca_file)

    def seal(
        self, folder: Path, *, name: str, trust: Trust, into: Optional[Path] = None, timeout: float = WAIT,
        profile: Optional[str] = ABSENT, series: Optional[str] = ABSENT, tags: Sequence[str] = ABSENT,
        metadata: Mapping[str, str] = ABSENT, external_id: Optional[str] = ABSENT, accept: Sequence[str] = ABSENT,
        confirm: Sequence[Mapping[str, str]] = ABSENT, provenance: Optional[Mapping[str, Any]] = ABSENT,
        on_progress: Optional[OnSent] = None, on_status: Optional[Callable[[Json], None]] = None
    ) -> SealedKit:
        """Seals the files in a folder: uploads them, waits for the kit, verifies it with your trust, and saves it.

        `name` says what the evidence is about. The kit is saved as `into`, by default as KIT_ID.zip in the current folder.

        Raises NotSealedError if the service found problems in the evidence, NotVerifiedError if the kit is not signed by a
        key that you trust, and WaitTimeout if there is no result within `timeout` seconds, with what the service waits for.
        Every error has the `submission_id`, or None before there is one. The same call with the same files continues where an
        earlier one stopped, for a day: it neither uploads what is there nor makes a second kit.
        """
        # Before anything is sent, because a kit costs a credit.
        if not trust.kids and not trust.key_sets:
            raise ValueError("the trust names no key, so no kit could be verified: set `kids`, or use trust_keys()")
        files = evidence_in(folder)
        body = dict(
            label=name, profile=profile, series=series, tags=tags, metadata=metadata, external_id=external_id,
            accept=accept, confirm=confirm, provenance=provenance
        )
        submission_id = None
        try:
            with saving("seal.zip" if into is None else into, lambda: kit_id + ".zip" if into is None else into) as file:
                submission = self._resumed(body, files)
                submission_id = text_of(submission, "submission_id")
                if submission["status"] == "PENDING":
                    self.upload_evidence(submission_id, files, resume=True, on_progress=on_progress)
                result = self.wait_for_result(submission_id, timeout=timeout, on_status=on_status)
                if result["status"] != "PASS":
                    raise NotSealedError(result)
                kit_id = text_of(result, "kit_id")
                report = self._download(kit_id, trust, file, None)
        except Exception as error:
            error.submission_id = submission_id  # type: ignore[attr-defined]
            raise
        path = pathlib.Path(kit_id + ".zip" if into is None else into)
        return SealedKit(kit_id, path, report, submission_id, result["findings"])

    def _resumed(self, body: Json, files: Sequence[Evidence]) -> Json:
        """The submission of an earlier call with the same files, unless it ended without a kit, or else a new one."""
        given = {name: value for name, value in body.items() if value is not ABSENT}
        identity = hashlib.sha256(json.dumps(given, sort_keys=True, default=list).encode("utf-8"))
        for one in files:
            content = hashlib.sha256()
            for piece in one.read(0, one.size):
                content.update(piece)
            identity.update(json.dumps([one.name, content.hexdigest()]).encode("utf-8"))
        for number in itertools.count(1):
            key = "seal-%s-%d" % (identity.hexdigest(), number)
            created = self.create_submission(idempotency_key=key, **body)
            try:
                found = self.get_submission(text_of(created, "submission_id"))
            except ApiError as error:
                if error.status != 404:
                    raise
                continue
            if found["status"] not in ("FAIL", "EXPIRED"):
                break
        return found

    def upload_evidence(
        self, submission_id: str, files: Sequence[Evidence], *, final: bool = True, accept: Sequence[str] = (),
        provenance: Optional[Mapping[str, Any]] = None, resume: bool = False, on_progress: Optional[OnSent] = None
    ) -> Json:
        """Uploads files and starts checking, unless `final` is false.

        Large files are sent so that an interrupted upload continues. With `resume`, files that an earlier upload stored, by
        name and size, are not sent again. `accept` has codes of findings that must not block the submission.
        """
        return _uploads.upload_evidence(
            self._transport, submission_id, list(files), final, accept, provenance, resume, on_progress
        )

    def upload_file(
        self, submission_id: str, file: Evidence, *, resume: bool = True, on_progress: Optional[OnSent] = None
    ) -> Json:
        """Uploads one large file and leaves the submission open. With `resume`, it continues an earlier upload."""
        return _uploads.upload_file(self._transport, submission_id, file, resume, on_progress)

    def delete_upload(self, submission_id: str, upload_id: str) -> None:
        """Delete an upload that is not finished."""
        _uploads.delete_upload(self._transport, submission_id, upload_id)

    def wait_for_result(
        self, submission_id: str, *, timeout: float = WAIT, on_status: Optional[Callable[[Json], None]] = None
    ) -> Json:
        """Polls until the submission is PASS, FAIL or EXPIRED. Raises WaitTimeout after `timeout` seconds.

        `on_status` is called with the submission at first, and each time its `status` or what it waits for has changed.
        """
        return self._poll("/v1/submissions/", submission_id, {"PASS", "FAIL", "EXPIRED"}, timeout, on_status)

    def wait_for_job(
        self, job_id: str, *, timeout: float = WAIT, on_status: Optional[Callable[[Json], None]] = None
    ) -> Json:
        """Polls until the job is ISSUED, FAIL or EXPIRED. Raises WaitTimeout after `timeout` seconds."""
        return self._poll("/v1/intake/jobs/", job_id, {"ISSUED", "FAIL", "EXPIRED"}, timeout, on_status)

    def download_kit(
        self, kit_id: str, *, trust: Trust, into: Optional[Path] = None, on_progress: Optional[OnProgress] = None
    ) -> VerifiedKit:
        """Downloads a kit and verifies it. Raises NotVerifiedError and saves nothing if it fails.

        The kit is saved as `into`, by default as KIT_ID.zip in the current folder.
        """
        if into is None and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", kit_id):
            raise ValueError("%r cannot name a file: pass `into`" % kit_id)
        path = pathlib.Path(kit_id + ".zip" if into is None else into)
        with saving(path) as file:
            report = self._download(kit_id, trust, file, on_progress)
        return VerifiedKit(kit_id, path, report)

    def _download(
        self, kit_id: str, trust: Trust, file: BinaryIO, on_progress: Optional[OnProgress]
    ) -> VerificationReport:
        download(self._transport, "/v1/kits/%s/download" % segment(kit_id, "kit_id"), file, on_progress)
        report = verify_kit(file, trust)
        found = (report["kit"] or {}).get("kit_id")
        if report["status"] == "PASS" and found != kit_id:
            report["status"], report["verdict"] = "FAIL", "altered"
            report["errors"] = ["kit_unreadable: the service returned a different kit than %s" % kit_id]
        if report["status"] != "PASS":
            raise NotVerifiedError(kit_id, report)
        return report

    def verify_kit(self, kit: Union[bytes, Path]) -> Json:
        """Lets the service verify a kit with its own keys. `kitseal.verify_kit` verifies it here, with yours."""
        file = Evidence("kit.zip", kit if isinstance(kit, bytes) else pathlib.Path(kit))
        headers = {"content-type": "application/zip", "content-length": str(file.size)}
        return self._transport.json("POST", "/v1/verify/kit", headers, file.read(0, file.size), is_long=True)

    def exchange_token(self, federation_id: str, id_token: str) -> Json:
        """Exchanges the token of a CI system for an API key that lives 15 minutes: `access_token`."""
        body = {
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "subject_token": id_token,
            "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
            "federation_id": federation_id,
        }
        return self._ask("POST", "/v1/token", {}, {}, body)

    def request(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        """Sends any request of the API, once. Returns the JSON of the response, or None if it has no body."""
        if not re.fullmatch(r"/[\x21-\x7e]*", path):
            raise ValueError("%r is not a path of the service" % path)
        headers = {} if body is None else {"content-type": "application/json"}
        data = None if body is None else json.dumps(body, allow_nan=False).encode("utf-8")
        with self._transport.send(method.upper(), path, headers, data) as response:
            return None if response.status == 204 else response.json()

    def iterate_submissions(self, /, **query: Any) -> Iterator[Json]:
        """Every submission that matches, page by page. Takes what `list_submissions` takes, except `cursor`."""
        page = self.list_submissions(**query)
        yield from page["data"]
        while page["next_cursor"] is not None:
            page = self.list_submissions(**query, cursor=page["next_cursor"])
            yield from page["data"]

    def events(self, *, after: int = 0, follow: bool = False) -> Iterator[Json]:
        """All events after the `seq` in `after`, oldest first and without gaps. With `follow`, it waits for more."""
        while True:
            page = self.list_events(after=after, limit=EVENTS_PER_PAGE)
            yield from page["data"]
            after = page["last_seq"]
            if page["next_cursor"] is None:
                if not follow:
                    return
                self._transport.pause(POLL_EVENTS_EVERY)

    def stream_events(self, *, after: int = ABSENT) -> Iterator[Json]:
        """Events as they happen, until the service ends the stream. Reconnect with the last `seq` as `after`."""
        path = _filled("/v1/events/stream", {}, {"after": after})
        rest = b""
        with self._transport.send("GET", path, {"accept": "text/event-stream"}, is_long=True) as response:
            for piece in response.pieces():
                *blocks, rest = (rest + piece).split(b"\n\n")
                for block in blocks:
                    data = re.search(rb"^data: (.*)$", block, re.M)
                    if data:
                        yield json.loads(data.group(1).decode("utf-8"))

    def _ask(self, method: str, path: str, ids: Any, query: Any, body: Any = None, key: Any = None) -> Json:
        answer: Json = self._send(method, path, ids, query, body, key, lambda response: response.json())
        return answer

    def _act(self, method: str, path: str, ids: Any, query: Any, body: Any = None, key: Any = None) -> None:
        self._send(method, path, ids, query, body, key, lambda response: None)

    def _save(self, path: str, ids: Any, query: Any, into: Target) -> None:
        with saving(into) as file:
            download(self._transport, _filled(path, ids, query), file)

    def _send(self, method: str, path: str, ids: Any, query: Any, body: Any, key: Any, read: Callable[[Any], Any]) -> Any:
        """Repeats only what is safe to repeat: with an Idempotency-Key, or by its method."""
        to = _filled(path, ids, query)
        headers = {}
        if key is not None:
            headers["idempotency-key"] = key or secrets.token_urlsafe(24)
        data = b"" if method in ("POST", "PUT", "PATCH") else None
        if body is not None:
            headers["content-type"] = "application/json"
            sent = {name: value for name, value in body.items() if value is not ABSENT}
            data = json.dumps(sent, allow_nan=False, default=list).encode("utf-8")

        def attempt(_: Any) -> Any:
            with self._transport.send(method, to, headers, data) as response:
                return read(response)

        is_safe = key is not None or method in ("GET", "PUT", "DELETE")
        return self._transport.retrying(attempt) if is_safe else attempt(None)

    def _poll(
        self, path: str, id: str, final: "set[str]", timeout: float, on_status: Optional[Callable[[Json], None]]
    ) -> Json:
        """The delay doubles up to the service's Retry-After. If that is long, the queue is, and asking earlier is of no use."""

        def fetch(_: Any) -> Tuple[Json, Optional[float]]:
            with self._transport.send("GET", path + segment(id, "ID")) as response:
                return response.json(), seconds_until(response.headers.get("retry-after"))

        end, delay, last = time.monotonic() + timeout, FIRST_DELAY, None
        while True:
            record, asked = self._transport.retrying(fetch)
            now = (text_of(record, "status"), (record.get("waiting") or {}).get("reason"))
            if now != last and on_status is not None:
                on_status(record)
            if record["status"] in final:
                return record
            last, left = now, end - time.monotonic()
            if left <= 0:
                raise WaitTimeout(id, timeout, record["status"], record.get("waiting"))
            is_long = asked is not None and asked > MAX_DELAY
            self._transport.pause(min(left, asked if is_long and asked else min(delay, asked or MAX_DELAY)))
            delay *= 2

    def _stoppable(self) -> "Client":
        other = copy.copy(self)
        other._transport = self._transport.stoppable()
        return other


def _filled(path: str, ids: Mapping[str, Any], query: Mapping[str, Any]) -> str:
    """A path with its parameters."""
    filled = re.sub(r"\{(\w+)\}", lambda match: segment(ids[match.group(1)], match.group(1)), path)
    asked = urlencode({name: value for name, value in query.items() if value is not ABSENT}, quote_via=quote)
    return filled + ("?" + asked if asked else "")
