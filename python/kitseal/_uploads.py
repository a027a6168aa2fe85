"""Uploads: forms for small files, the tus protocol for large ones, which continue after an interruption."""

import base64
import json
import re
import secrets
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote

from ._transport import Json, Transport
from .errors import ApiError, KitsealError
from .evidence import Evidence

OnSent = Callable[[int, int], None]

MIB = 2**20
#: Up to this size, all files are sent in one request, which starts over when it is interrupted.
ONE_REQUEST = 16 * MIB
#: Of larger uploads, files up to this size are still sent together, to save round trips.
SMALL_FILE = MIB
#: What the service accepts in one request.
FILES_PER_REQUEST = 1000
#: Small enough for proxies that limit the size of a request.
CHUNK = 64 * MIB
TUS = {"tus-resumable": "1.0.0"}
BUSY_WAIT, MAX_BUSY = 1.0, 3600.0
MAX_RESTARTS = 3


def upload_evidence(
    transport: Transport, submission_id: str, files: Sequence[Evidence], final: bool, accept: Sequence[str],
    provenance: Optional[Mapping[str, Any]], resume: bool, on_progress: Optional[OnSent]
) -> Json:
    path = "/v1/submissions/" + segment(submission_id, "submission_id")
    # Also reports a wrong ID or API key before anything is sent.
    submission = transport.retrying(lambda _: transport.json("GET", path))
    sizes = {id(file): file.size for file in files}
    total = sum(sizes.values())
    stored = {(one["name"], one["size_bytes"]) for one in submission["evidence"]} if resume else set()
    left = [file for file in files if (file.name, sizes[id(file)]) not in stored]
    done = total - sum(sizes[id(file)] for file in left)

    def report(more: int) -> None:
        if on_progress is not None:
            on_progress(min(done + more, total), total)

    def is_large(file: Evidence) -> bool:
        return total > ONE_REQUEST and sizes[id(file)] > SMALL_FILE

    for file in filter(is_large, left):
        upload_file(transport, submission_id, file, resume, lambda sent, _: report(sent))
        done += sizes[id(file)]
    fields = {} if not accept else {"accept": ",".join(accept)}
    if provenance is not None:
        fields["provenance"] = json.dumps(provenance)
    small = [file for file in left if not is_large(file)]
    starts = range(0, max(len(small), 1), FILES_PER_REQUEST)
    if not small and not final and not fields:
        return transport.retrying(lambda _: transport.json("GET", path))
    for start in starts:
        form = small[start : start + FILES_PER_REQUEST]
        named = dict(fields, final="true" if final else "false") if start == starts[-1] else {"final": "false"}
        submission = _send_form(transport, path + "/evidence", named, form, report)
        done += sum(sizes[id(file)] for file in form)
    return submission


def _send_form(
    transport: Transport, path: str, fields: Mapping[str, str], files: Sequence[Evidence], report: Callable[[int], None]
) -> Json:
    """All attempts have one Idempotency-Key, so that none is stored twice."""
    boundary = "kitseal-" + secrets.token_hex(16)
    parts: List[Union[bytes, Evidence]] = []
    for name, value in fields.items():
        head = '--%s\r\ncontent-disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (boundary, name, value)
        parts.append(head.encode("utf-8"))
    for file in files:
        head = '--%s\r\ncontent-disposition: form-data; name="file"; %s\r\n' % (boundary, _file_name(file.name))
        parts += [(head + "content-type: application/octet-stream\r\n\r\n").encode("utf-8"), file, b"\r\n"]
    parts.append(b"--%s--\r\n" % boundary.encode("ascii"))
    sizes = [len(part) if isinstance(part, bytes) else part.size for part in parts]
    headers = {
        "content-type": "multipart/form-data; boundary=" + boundary,
        "content-length": str(sum(sizes)),
        "idempotency-key": secrets.token_urlsafe(24),
    }

    def body() -> Iterator[bytes]:
        sent = 0
        for part, size in zip(parts, sizes):
            if isinstance(part, bytes):
                yield part
                continue
            for piece in part.read(0, size):
                yield piece
                sent += len(piece)
                report(sent)

    return transport.retrying(lambda _: transport.json("POST", path, headers, body(), is_long=True))


def _file_name(name: str) -> str:
    """Quotes and line breaks are percent-encoded, as browsers do. A name that could be mistaken for that is sent twice."""
    escaped = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    twice = "; filename*=UTF-8''" + quote(name, safe="") if re.search(r"[%\\]", name) else ""
    return 'filename="%s"%s' % (escaped, twice)


def upload_file(
    transport: Transport, submission_id: str, file: Evidence, resume: bool, on_progress: Optional[OnSent]
) -> Json:
    """Uploads one file in a way that survives interruptions (tus protocol 1.0). The submission stays a draft."""
    path = "/v1/submissions/%s/uploads" % segment(submission_id, "submission_id")
    total, key = file.size, file.resume_key
    upload: Optional[Json] = None
    if resume and key is not None:
        listed = transport.retrying(lambda _: transport.json("GET", path))
        same = [
            one
            for one in listed["data"]
            if (one["name"], one["size_bytes"], one["resume_key"]) == (file.name, total, key)
        ]
        upload = same[0] if same else None
    best, restarts, busy = 0, 0, 0.0

    def send_all(progressed: Callable[[], None]) -> Json:
        nonlocal upload, best, restarts, busy
        offset: Optional[int] = None
        while True:
            try:
                if upload is None:
                    upload = _create(transport, path, file.name, total, key)
                elif offset is None:
                    upload = transport.json("GET", path + "/" + upload_id(upload))
                if offset is None:
                    offset = upload["offset_bytes"]
                    if not isinstance(offset, int) or not 0 <= offset <= total:
                        raise KitsealError("the service says that it has %r of %d bytes" % (offset, total))
                if offset > best:
                    progressed()
                    best, restarts, busy = offset, 0, 0.0
                if on_progress is not None:
                    on_progress(offset, total)
                if offset == total:
                    return upload
                offset = _send_chunk(transport, path + "/" + upload_id(upload), file, offset, total, on_progress)
            except ApiError as error:
                offset = None
                if error.code == "upload_in_progress" and busy < MAX_BUSY:
                    # The service still works on an earlier request.
                    busy += BUSY_WAIT
                    transport.pause(BUSY_WAIT)
                    continue
                restarts += 1
                if error.code not in RESTARTABLE or restarts > MAX_RESTARTS:
                    raise
                upload = upload if error.code == "upload_offset_wrong" else None

    try:
        return transport.retrying(send_all)
    except BaseException:
        # Nobody is going to continue it, and it would block the submission.
        if not resume and upload is not None:
            try:
                delete_upload(transport.stoppable(), submission_id, upload_id(upload))
            except KitsealError:
                pass
        raise


#: The offset is asked for again, or the upload starts over.
RESTARTABLE = {"upload_offset_wrong", "upload_not_found", "upload_expired"}


def _create(transport: Transport, path: str, name: str, total: int, key: Optional[str]) -> Json:
    metadata = {"filename": name, **({} if key is None else {"resume_key": key})}
    encoded = ["%s %s" % (member, base64.b64encode(text.encode("utf-8")).decode("ascii")) for member, text in metadata.items()]
    headers = {
        **TUS,
        "upload-length": str(total),
        "upload-metadata": ",".join(encoded),
        "idempotency-key": secrets.token_urlsafe(24),
    }
    return transport.retrying(lambda _: transport.json("POST", path, headers, b""))


def _send_chunk(
    transport: Transport, path: str, file: Evidence, offset: int, total: int, on_progress: Optional[OnSent]
) -> int:
    length = min(total - offset, CHUNK)
    headers = {
        **TUS,
        "content-type": "application/offset+octet-stream",
        "upload-offset": str(offset),
        "content-length": str(length),
    }

    def body() -> Iterator[bytes]:
        sent = offset
        for piece in file.read(offset, length):
            yield piece
            sent += len(piece)
            if on_progress is not None:
                on_progress(sent, total)

    with transport.send("PATCH", path, headers, body(), is_long=True) as response:
        now = response.headers.get("upload-offset") or ""
        if not re.fullmatch("[0-9]{1,15}", now) or not offset <= int(now) <= total:
            raise response.unexpected("the upload offset %r" % now)
        return int(now)


def delete_upload(transport: Transport, submission_id: str, upload: str) -> None:
    path = "/v1/submissions/%s/uploads/%s" % (segment(submission_id, "submission_id"), segment(upload, "upload_id"))

    def attempt(_: Any) -> None:
        with transport.send("DELETE", path, TUS):
            pass

    transport.retrying(attempt)


def upload_id(upload: Mapping[str, Any]) -> str:
    return segment(upload.get("upload_id"), "upload_id")


def segment(value: Any, what: str) -> str:
    """One segment of a path. An empty or dotted one would change the path."""
    if not isinstance(value, (str, int)) or str(value) in ("", ".", ".."):
        raise ValueError("%r is not a valid %s" % (value, what))
    return quote(str(value), safe="")
