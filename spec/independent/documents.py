"""kit-format.md, sections 1 to 5: JSON, paths, manifest, receipt and key sets."""

import base64
import datetime
import hashlib
import json
import re
import unicodedata
from decimal import Context, Decimal, InvalidOperation

VERSION = "FES-1.0-preview"
ENVELOPE = ("manifest.json", "receipt.json", "receipt.canonical.json", "receipt.sig", "jwks.json")
RESERVED = ("log-proof.json", "timestamp.tsr")


class Malformed(Exception):
    pass


def parse(data):
    """R1 to R5."""
    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_int=_number, parse_float=_number, parse_constant=_constant)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed(str(error)) from None
    _check_strings_and_depth(value)
    return value


def _object(pairs):
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Malformed("duplicate member")
    return value


def _constant(name):
    raise Malformed(f"{name} is not JSON")


def _number(text):
    """The exact value; raises Malformed instead of rounding."""
    mantissa, _, exponent = text.lower().partition("e")
    digits = mantissa.replace("-", "").replace(".", "").strip("0")
    if not digits:
        return 0
    if len(exponent) > 12:
        raise Malformed("not a safe integer")
    try:
        exact = Context(prec=len(text) + 5, Emax=10**15, Emin=-(10**15)).create_decimal(Decimal(text))
    except InvalidOperation:
        raise Malformed("not a safe integer") from None
    if abs(exact) > 2**53 - 1 or exact != exact.to_integral_value():
        raise Malformed("not a safe integer")
    return int(exact)


def _check_strings_and_depth(value, depth=0):
    if depth > 64:
        raise Malformed("nested too deep")
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Malformed("a lone surrogate") from None
    for name, member in value.items() if isinstance(value, dict) else ():
        _check_strings_and_depth(name)
        _check_strings_and_depth(member, depth + 1)
    for member in value if isinstance(value, list) else ():
        _check_strings_and_depth(member, depth + 1)


def canonical(value):
    """R6. With ensure_ascii=False, Python escapes strings exactly as RFC 8785 does."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(member) for member in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def sha256_of(value):
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def without(value, *names):
    return {name: member for name, member in value.items() if name not in names}


def collision_key(path):
    """R11."""
    folded = []
    for character in unicodedata.normalize("NFC", path):
        upper = character.upper()
        same = len(upper.encode("utf-16-be")) == len(character.encode("utf-16-be"))
        folded.append((upper if same else character).lower())
    return unicodedata.normalize("NFC", "".join(folded))


def collide(paths):
    keys = [collision_key(path) for path in paths]
    taken = set(keys)
    if len(taken) != len(keys):
        return True
    return any("/".join(parts[:end]) in taken for parts in (key.split("/") for key in keys) for end in range(1, len(parts)))


DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE | re.ASCII | re.DOTALL)


def good_path(path):
    """R8 to R10."""
    if unicodedata.normalize("NFC", path) != path or any(unicodedata.category(c) == "Cc" for c in path):
        return False
    if not 1 <= len(path.encode()) <= 1024 or "\\" in path:
        return False
    return all(
        1 <= len(segment.encode()) <= 255
        and segment not in (".", "..")
        and not segment.endswith((".", " "))
        and not re.match("[A-Za-z]:", segment)
        and not DEVICE.fullmatch(segment)
        for segment in path.split("/")
    )


def _text(value):
    return isinstance(value, str) and value != ""


def _matches(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None


_identifier = _matches("[A-Za-z0-9_-]{1,200}")
_sha256 = _matches("[0-9a-f]{64}")


def _instant(value):
    if not _matches(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")(value) or value[:4] == "0000":
        return False
    try:
        datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        return False
    return not value[17:19] > "59"


def milliseconds(instant):
    moment = datetime.datetime.strptime(instant, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)


def from_base64url(text, length):
    """The decoded bytes, or None if the encoding is not canonical."""
    if not _matches("[A-Za-z0-9_-]*")(text):
        return None
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    one = base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
    return raw if one == text and len(raw) == length else None


def _closed(value, rules):
    if not isinstance(value, dict) or set(value) != set(rules):
        raise Malformed("missing or unknown members")
    for name, holds in rules.items():
        if not holds(value[name]):
            raise Malformed(f"{name} is malformed")
    return value


SHARED = {
    "receipt_version": lambda value: value == VERSION,
    "job_id": _identifier,
    "kit_id": _identifier,
    "issued_at": _instant,
    "manifest_sha256": _sha256,
    "boundary": _text,
}


def manifest(value):
    """R12 to R14."""
    _closed(value, SHARED | {"artifacts": lambda value: isinstance(value, list) and value != []})
    size = lambda value: type(value) is int and value >= 0
    for artifact in value["artifacts"]:
        _closed(artifact, {"path": lambda path: _text(path) and good_path(path), "sha256": _sha256, "size_bytes": size})
    paths = [artifact["path"] for artifact in value["artifacts"]]
    reserved = {collision_key(name) for name in ENVELOPE + RESERVED}
    if [path.encode() for path in paths] != sorted(path.encode() for path in paths):
        raise Malformed("not sorted")
    if collide(paths) or any(collision_key(path.split("/")[0]) in reserved for path in paths):
        raise Malformed("paths that collide")
    return value


def receipt(value):
    """R18."""
    rules = {
        "issuer": _text,
        "scope": _text,
        "public_key_kid": lambda value: from_base64url(value, 32) is not None,
        "manifest_root_hash": _sha256,
        "canonical_receipt_sha256": _sha256,
        "signature_algorithm": lambda value: value == "Ed25519",
        "signature": lambda value: from_base64url(value, 64) is not None,
    }
    return _closed(value, SHARED | rules)


def root_hash(artifacts):
    """R16."""
    def tree(leaves):
        if len(leaves) == 1:
            return leaves[0]
        split = 1 << (len(leaves) - 1).bit_length() - 1
        return hashlib.sha256(b"\1" + tree(leaves[:split]) + tree(leaves[split:])).digest()

    return tree([hashlib.sha256(b"\0" + canonical(artifact).encode()).digest() for artifact in artifacts]).hex()


def key_set(value):
    """R22 to R24: the keys by kid, and the kids of the refused keys."""
    if not isinstance(value, dict) or not isinstance(value.get("keys"), list):
        raise Malformed("not a key set")
    keys, refused = {}, []
    for key in value["keys"]:
        if not isinstance(key, dict):
            raise Malformed("not a key set")
        mine = key.get("kty") == "OKP" and key.get("crv") == "Ed25519"
        kid = key.get("kid") if isinstance(key.get("kid"), str) else None
        if {"d", "p", "q", "dp", "dq", "qi", "oth", "k"} & set(key) or (mine and (kid in keys or not _good_key(key))):
            refused.append(kid)
        elif mine:
            keys[kid] = key
    return {kid: key for kid, key in keys.items() if kid not in refused}, refused


def revoked_kids(value):
    """R51."""
    revoked = value.get("revoked_keys", []) if isinstance(value, dict) else []
    if not isinstance(revoked, list):
        raise Malformed("revoked_keys is not a list")
    kids = set()
    for entry in revoked:
        since = {"compromised_since": _instant} if isinstance(entry, dict) and "compromised_since" in entry else {}
        _closed(entry, {"kid": lambda kid: from_base64url(kid, 32) is not None, "revoked_at": _instant, **since})
        if entry["kid"] in kids:
            raise Malformed("a revoked key twice")
        kids.add(entry["kid"])
    return kids


def _good_key(key):
    x = key.get("x")
    if from_base64url(x, 32) is None:
        return False
    print_ = hashlib.sha256(canonical({"crv": "Ed25519", "kty": "OKP", "x": x}).encode()).digest()
    if key.get("kid") != base64.urlsafe_b64encode(print_).rstrip(b"=").decode():
        return False
    if key.get("use", "sig") != "sig" or key.get("alg", "EdDSA") not in ("EdDSA", "Ed25519"):
        return False
    return all(type(key[name]) is int and key[name] >= 0 for name in ("iat", "exp") if name in key)
