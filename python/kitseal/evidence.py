"""Files to upload."""

import os
import pathlib
import stat
from dataclasses import dataclass
from typing import Iterator, List, Optional, Union

PIECE = 2**18


@dataclass(frozen=True)
class Evidence:
    """One file of evidence: its name, with `/` between folders, and its bytes or the path where they are.

    >>> Evidence("notes/approval.txt", b"Approved.").size
    9
    """

    name: str
    content: Union[bytes, "os.PathLike[str]"]

    def __post_init__(self) -> None:
        if not isinstance(self.content, (bytes, os.PathLike)):
            raise TypeError("content is bytes or a pathlib.Path, not %s" % type(self.content).__name__)
        try:
            self.name.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("%r is not valid Unicode: rename the file" % self.name) from None

    @property
    def size(self) -> int:
        return len(self.content) if isinstance(self.content, bytes) else os.stat(self.content).st_size

    @property
    def resume_key(self) -> Optional[str]:
        """Changes with the content, so that an upload of another version is not continued."""
        return None if isinstance(self.content, bytes) else "modified %d" % os.stat(self.content).st_mtime_ns

    def read(self, start: int, length: int) -> Iterator[bytes]:
        """`length` bytes from `start`. Raises OSError if the file has become shorter."""
        if isinstance(self.content, bytes):
            yield self.content[start : start + length]
            return
        with open(self.content, "rb") as file:
            file.seek(start)
            while length > 0:
                piece = file.read(min(length, PIECE))
                if not piece:
                    raise OSError("%s changed while it was being read" % os.fspath(self.content))
                length -= len(piece)
                yield piece


def evidence_file(path: Union[str, "os.PathLike[str]"], name: Optional[str] = None) -> Evidence:
    """A file on disk as evidence. It is streamed during the upload, never read into memory as a whole."""
    return Evidence(os.path.basename(os.fspath(path)) if name is None else name, pathlib.Path(path))


def evidence_in(folder: Union[str, "os.PathLike[str]"]) -> List[Evidence]:
    """Every file in a folder and below, sorted by name. Links and special files are refused, never followed or skipped."""
    found, pending = [], [(os.fspath(folder), "")]
    while pending:
        place, prefix = pending.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                mode = entry.stat(follow_symlinks=False).st_mode
                if stat.S_ISDIR(mode):
                    pending.append((entry.path, prefix + entry.name + "/"))
                elif stat.S_ISREG(mode):
                    found.append(evidence_file(entry.path, prefix + entry.name))
                else:
                    raise ValueError("%s is a link or a special file: remove it, or copy what it points to" % entry.path)
    if not found:
        raise ValueError("%s contains no files" % os.fspath(folder))
    return sorted(found, key=lambda file: file.name.encode("utf-8"))
