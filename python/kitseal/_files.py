"""Downloads. What is saved is complete, or not there."""

import contextlib
import os
import re
import secrets
import shutil
import tempfile
from typing import Any, BinaryIO, Callable, Iterator, Optional, Union, cast

from ._transport import Transport
from .errors import NetworkError

#: Where to save: the path of a file, which is replaced, or a binary file object.
Target = Union[str, "os.PathLike[str]", BinaryIO]
#: Called with the bytes that are done, and with all of them if that is known.
OnProgress = Callable[[int, Optional[int]], None]


@contextlib.contextmanager
def saving(into: Target, named: Optional[Callable[[], Target]] = None) -> Iterator[BinaryIO]:
    """A temporary file. It becomes `into`, or what is `named` then, when the block ends without an error."""
    if not isinstance(into, (str, os.PathLike)):
        with tempfile.TemporaryFile() as file:
            yield cast(BinaryIO, file)
            file.seek(0)
            shutil.copyfileobj(file, into)
        return
    temporary = "%s.%s.part" % (os.fspath(into), secrets.token_hex(6))
    try:
        with open(temporary, "x+b", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, into if named is None else cast(str, named()))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def download(transport: Transport, path: str, file: BinaryIO, on_progress: Optional[OnProgress] = None) -> None:
    """Writes a response to a file. Resumes after a lost connection, or starts over if the content has changed."""
    done, etag = 0, None

    def attempt(progressed: Callable[[], None]) -> None:
        nonlocal done, etag
        headers = {"accept": "*/*"}
        if done > 0 and etag is not None:
            headers.update({"range": "bytes=%d-" % done, "if-range": etag})
        with transport.send("GET", path, headers, is_long=True) as response:
            content_range = response.headers.get("content-range") or ""
            if response.status != 206 or not content_range.startswith("bytes %d-" % done):
                if response.status == 206:
                    raise response.unexpected("another part than was asked for")
                done = 0
                file.seek(0)
                file.truncate()
            tag = response.headers.get("etag") or ""
            etag = tag if tag.startswith('"') else None
            total = _total(response.headers, done)
            for piece in response.pieces():
                file.write(piece)
                done += len(piece)
                progressed()
                if on_progress is not None:
                    on_progress(done, total)
            if total is not None and done != total:
                raise NetworkError("GET", response.url, "connection lost after %d bytes" % done)

    transport.retrying(attempt)
    file.flush()


def _total(headers: Any, done: int) -> Optional[int]:
    whole = re.search(r"/([0-9]+)$", headers.get("content-range") or "")
    if whole:
        return int(whole.group(1))
    length = headers.get("content-length") or ""
    return done + int(length) if re.fullmatch("[0-9]+", length) else None
