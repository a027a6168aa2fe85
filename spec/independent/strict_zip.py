"""kit-format.md, section 8: unambiguous archives."""

import struct
import zlib


class Unreadable(Exception):
    """The archive or one of its entries is refused."""


class Entry:
    def __init__(self, **fields):
        self.__dict__.update(fields)


def read_directory(data):
    """The entries in the order of their data, and the offset of the directory (R33 to R41)."""
    end = _end_record(data)
    here, count, size, offset, comment = struct.unpack_from("<HHIIH", data, end + 8)
    if struct.unpack_from("<HH", data, end + 4) != (0, 0) or here != count:
        raise Unreadable("unsupported end record")
    stop, versions = end, None
    if end >= 20 and data[end - 20 : end - 16] == b"PK\x06\x07":
        stop, versions, count, size, offset = _zip64_end(data, end - 20, count, size, offset)
    elif count == 0xFFFF or size == 0xFFFFFFFF or offset == 0xFFFFFFFF:
        raise Unreadable("the zip64 end record is missing")
    if offset + size != stop:
        raise Unreadable("data between directory and end record")
    entries, at = [], offset
    for _ in range(count):
        entry, at = _central_header(data, at, stop)
        entries.append(entry)
    if at != stop:
        raise Unreadable("data after the directory")
    _hold_to_issued_form(entries, comment, versions)
    entries.sort(key=lambda entry: entry.offset)
    if (entries[0].offset if entries else offset) != 0:
        raise Unreadable("data before the first entry")
    names = [entry.name.removesuffix("/") for entry in entries]
    if len(set(names)) != len(names):
        raise Unreadable("duplicate entry name")
    return entries, offset


def _end_record(data):
    first = max(0, len(data) - 65577)
    found = None
    for at in range(len(data) - 22, first - 1, -1):
        if data[at : at + 4] != b"PK\x05\x06":
            continue
        fits = at + 22 + struct.unpack_from("<H", data, at + 20)[0] == len(data)
        if found is None and not fits:
            raise Unreadable("data after the end record")
        if fits and found is not None:
            raise Unreadable("two end records")
        if fits:
            found = at
    if found is None:
        raise Unreadable("no end record")
    return found


def _zip64_end(data, locator, count, size, offset):
    disk, at, disks = struct.unpack_from("<IQI", data, locator + 4)
    if disk != 0 or disks != 1 or at != locator - 56 or at < 0:
        raise Unreadable("the zip64 locator has a wrong offset")
    signature, length, made, needed, d1, d2, here, total, size64, offset64 = struct.unpack_from("<4sQHHIIQQQQ", data, at)
    if signature != b"PK\x06\x06" or length != 44 or d1 or d2 or here != total:
        raise Unreadable("the zip64 end record is damaged")
    for plain, wide, full in ((count, total, 0xFFFF), (size, size64, 0xFFFFFFFF), (offset, offset64, 0xFFFFFFFF)):
        if plain not in (full, wide) or wide >= 2**53:
            raise Unreadable("the two end records disagree")
    return at, (made, needed), total, size64, offset64


def _central_header(data, at, stop):
    if at + 46 > stop or data[at : at + 4] != b"PK\x01\x02":
        raise Unreadable("the directory is damaged")
    made, needed, flags, method, time, date, crc, packed, size, n, e, c, disk, internal, external, offset = struct.unpack_from(
        "<HHHHHHIIIHHHHHII", data, at + 4
    )
    after = at + 46 + n + e + c
    if after > stop:
        raise Unreadable("the directory is damaged")
    fields = _extra_fields(data[at + 46 + n : at + 46 + n + e])
    name = _name(data[at + 46 : at + 46 + n], flags, fields)
    size, packed, offset = _zip64_values(fields, (size, packed, offset))
    entry = Entry(
        name=name, made=made, needed=needed, flags=flags, method=method, time=time, date=date, crc=crc, packed=packed,
        size=size, internal=internal, external=external, offset=offset, extra=set(fields), folder=name.endswith("/"),
    )
    if disk or c:
        raise Unreadable("multiple disks, or an entry comment")
    _check_entry(entry)
    return entry, after


def _check_entry(entry):
    if entry.flags & ~0x080E or entry.extra & {0x0017, 0x9901}:
        raise Unreadable("encrypted, or an unsupported feature")
    if entry.method not in (0, 8) or (entry.method == 0 and entry.packed != entry.size):
        raise Unreadable("unsupported method, or conflicting sizes")
    if entry.folder and (entry.size or entry.packed or entry.crc):
        raise Unreadable("a folder with data")
    unix = entry.made >> 8 in (3, 19)
    kind = entry.external >> 28 if unix else 0
    if kind not in (0, 4, 8) or (kind == 8 and entry.folder):
        raise Unreadable("a link, a device, or a file with a folder name")
    if (kind == 4 or entry.external & 0x10) and not entry.folder:
        raise Unreadable("a folder without a trailing slash")


def _hold_to_issued_form(entries, comment, versions):
    if all(entry.made != 0x033E for entry in entries):
        return
    if comment or versions not in (None, (0x033E, 45)):
        raise Unreadable("not the issued form")
    first, before = entries[0], -1
    for entry in entries:
        holds = (
            entry.made == 0x033E
            and entry.extra <= {1}
            and entry.needed == (45 if entry.extra else 20)
            and (entry.flags, entry.method, entry.internal, entry.external) == (0x0800, 0, 0, 0x81A40000)
            and (entry.time, entry.date) == (first.time, first.date)
            and entry.offset > before
            and not entry.folder
        )
        if not holds:
            raise Unreadable("not the issued form")
        before = entry.offset


def _extra_fields(data):
    fields, at = {}, 0
    while at < len(data):
        if at + 4 > len(data):
            raise Unreadable("a malformed extra field")
        identity, length = struct.unpack_from("<HH", data, at)
        if at + 4 + length > len(data) or identity in fields:
            raise Unreadable("a malformed or duplicate extra field")
        fields[identity] = data[at + 4 : at + 4 + length]
        at += 4 + length
    return fields


def _zip64_values(fields, values):
    saturated = sum(value == 0xFFFFFFFF for value in values)
    if 1 not in fields:
        if saturated:
            raise Unreadable("a zip64 field is missing")
        return values
    if not saturated or len(fields[1]) != 8 * saturated:
        raise Unreadable("a zip64 field of the wrong length")
    wide = iter(struct.unpack(f"<{saturated}Q", fields[1]))
    result = tuple(next(wide) if value == 0xFFFFFFFF else value for value in values)
    if any(value >= 2**53 for value in result):
        raise Unreadable("a size beyond the archive")
    return result


def _name(raw, flags, fields):
    try:
        name = raw.decode("utf-8")
        again = fields[0x7075][5:].decode("utf-8") if 0x7075 in fields else None
    except UnicodeDecodeError:
        raise Unreadable("a name that is not UTF-8") from None
    if again is not None and again != name:
        raise Unreadable("an entry has two names")
    plain = all(0x20 <= byte <= 0x7E for byte in raw)
    if not raw or b"\0" in raw or (not plain and not flags & 0x0800 and again is None):
        raise Unreadable("an ambiguous name encoding")
    return name


def data_range(data, entry, following):
    """The offset of an entry's data, after checking its headers against the directory (R42, R43)."""
    at = entry.offset
    if at + 30 > following or data[at : at + 4] != b"PK\x03\x04":
        raise Unreadable("no local header")
    needed, flags, method, time, date, crc, packed, size, n, e = struct.unpack_from("<HHHHHIIIHH", data, at + 4)
    start = at + 30 + n + e
    if start > following:
        raise Unreadable("a local header that is too long")
    fields = _extra_fields(data[at + 30 + n : start])
    name = _name(data[at + 30 : at + 30 + n], flags, fields)
    if set(fields) & {0x0017, 0x9901} or (entry.made == 0x033E and not set(fields) <= {1}):
        raise Unreadable("unsupported extra field")
    size, packed = _zip64_values(fields, (size, packed))
    late = flags & 8 and (crc, packed, size) == (0, 0, 0)
    same = (needed, flags, method, time, date, name) == (entry.needed, entry.flags, entry.method, entry.time, entry.date, entry.name)
    if not same or not (late or (crc, packed, size) == (entry.crc, entry.packed, entry.size)):
        raise Unreadable("local header and directory disagree")
    gap = following - (start + entry.packed)
    if gap and not (entry.flags & 8 and _descriptor_agrees(data[start + entry.packed : following], entry)):
        raise Unreadable("data between entries, or overlapping entries")
    if not gap and entry.flags & 8:
        raise Unreadable("the data descriptor is missing")
    if entry.method == 0 and entry.flags & 8 and _ends_inside(data, start, entry.size):
        raise Unreadable("the data contains a data descriptor")
    return start


def _ends_inside(data, start, size):
    at = data.find(b"PK\x07\x08", start, start + size + 3)
    while at != -1:
        if struct.unpack_from("<I", data, at + 8)[0] == at - start:
            return True
        at = data.find(b"PK\x07\x08", at + 1, start + size + 3)
    return False


def _descriptor_agrees(raw, entry):
    for form in ("<III", "<4sIII", "<IQQ", "<4sIQQ"):
        if struct.calcsize(form) == len(raw):
            values = struct.unpack(form, raw)
            signed = values[0] == b"PK\x07\x08" if form[1] == "4" else entry.crc != 0x08074B50
            return signed and values[-3:] == (entry.crc, entry.packed, entry.size)
    return False


def content(data, entry, start):
    raw = data[start : start + entry.packed]
    if entry.method == 0:
        return raw
    inflater = zlib.decompressobj(-15)
    try:
        whole = inflater.decompress(raw, entry.size + 1)
    except zlib.error:
        raise Unreadable("damaged compressed data") from None
    if not inflater.eof or inflater.unused_data or len(whole) != entry.size:
        raise Unreadable("compressed data does not match the sizes")
    return whole
