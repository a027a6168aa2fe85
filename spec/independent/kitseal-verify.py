#!/usr/bin/env python3
"""Verifies kitseal kits, receipts and file proofs offline. One file, Python 3.8 or later, no packages required.

    kitseal-verify.py KIT [--jwks FILE]... [--kid KID]...       a kit: kit.zip or an unpacked folder
    kitseal-verify.py KIT --policy FILE [the same options]      the same, which must also be in a log of this policy
    kitseal-verify.py FILE PROOF [the same options]             one file and its proof
    kitseal-verify.py RECEIPT [--kit KIT] [the same options]    a receipt, with the kit it was issued for

Implements spec/kit-format.md (the R numbers below are its rules) without code from the rest of kitseal, so that each
checks the other. Time-stamps (RFC 3161) are not checked here. It never uses the network. Signatures are computed here; Ed25519 by the package "cryptography" if
installed.
"""

import sys

# A kit may be unpacked beside this file: do not import modules from this folder.
if __name__ == "__main__" and not sys.flags.isolated and not getattr(sys.flags, "safe_path", False):
    sys.path.pop(0)

import argparse
import base64
import bisect
import copy
import datetime
import hashlib
import json
import os
import re
import shlex
import stat
import struct
import unicodedata
import zlib

VERSION = "FES-1.0-preview"
BOUNDARY = "Integrity and issuance evidence only. Not audit, certification, or compliance guarantee."
PIECE = 2**20
MIB = 2**20


# ---- Verdicts

VERDICTS = {
    # verdict: (exit code, heading, advice)
    "verified": (0, "Verified", "The files are unchanged, and the receipt is signed with KEY."),
    "sender_unconfirmed": (
        3,
        "Files intact. Sender not confirmed yet.",
        "Anyone can make a kit that names this issuer. Get the issuer's key set from a website that you know is the "
        "issuer's, or compare the key ID with one that you received another way.",
    ),
    "signer_unknown": (
        1,
        "Not signed by the issuer it names",
        "The issuer may have a new key, or someone else made this kit. Compare the keys of the issuer, at an address that "
        "you already know: kitseal trust add ISSUER",
    ),
    "key_revoked": (
        1,
        "Signing key revoked on DATE",
        "Do not rely on it. Ask the supplier for a re-issued kit, which is signed with a current key.",
    ),
    "altered": (1, "Altered since it was issued", "Do not rely on it. Ask the issuer for the original."),
    "unreadable": (
        2,
        "Not a readable kit",
        "Check that you have the complete file, then ask the sender to send it again.",
    ),
}

NOT_LOGGED_ADVICE = (
    "The signature is the issuer's, but the log proof or its time does not meet your policy. "
    "Ask the issuer for a newer log proof, and whether it issued this kit."
)

# ---- Section 1: JSON


class Malformed(Exception):
    """A document is rejected."""


def parse_json(data):
    """R1 to R5."""
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_json_object,
            parse_int=_json_number,
            parse_float=_json_number,
            parse_constant=_json_constant,
        )
    except (ValueError, RecursionError) as error:
        raise Malformed("not strict JSON: %s" % error) from None
    _check_strings_and_depth(value, 0)
    return value


def _json_object(pairs):
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Malformed("not strict JSON: duplicate member name")
    return value


def _json_constant(name):
    raise Malformed("not strict JSON: %s" % name)


def _json_number(text):
    """R4: the exact value, never rounded."""
    if text.isdigit() and text.isascii() and len(text) <= 15:
        return int(text)
    match = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)0*(\d*))?", text, re.ASCII)
    if match is None:
        raise Malformed("not strict JSON: %s is not a number" % text[:40])
    sign, whole, fraction, exponent_sign, exponent = (group or "" for group in match.groups())
    digits = (whole + fraction).lstrip("0")
    if digits == "":
        return 0
    too_large = len(exponent) > 18
    shift = 0 if too_large else int(exponent_sign + (exponent or "0")) - len(fraction)
    if shift < 0 and digits[shift:].strip("0") == "" and len(digits) > -shift:
        digits, shift = digits[:shift], 0
    if too_large or shift < 0 or len(digits) + shift > 16:
        raise Malformed("not strict JSON: a number is not a safe integer")
    value = int(digits + "0" * shift)
    if value > 2**53 - 1:
        raise Malformed("not strict JSON: a number is not a safe integer")
    return -value if sign else value


def _check_strings_and_depth(value, depth):
    if depth > 64:
        raise Malformed("not strict JSON: nested more than 64 levels deep")
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Malformed("not strict JSON: a lone surrogate") from None
    elif isinstance(value, dict):
        for name, member in value.items():
            _check_strings_and_depth(name, 0)
            _check_strings_and_depth(member, depth + 1)
    elif isinstance(value, list):
        for member in value:
            _check_strings_and_depth(member, depth + 1)


def canonical(value):
    """R6. With ensure_ascii=False, Python escapes strings exactly as RFC 8785 does."""
    return _canonical_text(value).encode("utf-8")


def _canonical_text(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(_canonical_text(name) + ":" + _canonical_text(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_canonical_text(member) for member in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def sha256_hex(data):
    return hashlib.sha256(data).hexdigest()


def without(value, *names):
    return {name: member for name, member in value.items() if name not in names}


# ---- Section 2: paths

DEVICE = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE | re.ASCII | re.DOTALL
)


# Code points that paths must not contain, in base 36: the distance of each range from the end of the one before, and how
# many more follow.
REFUSED = """
oo+1 7+3 8 2 l b2 13+1 1f+1 4 1k+7 s+3 7+a 7j 1p+1 2u+d 1o+1 1e+1 g t+1 2 c+4 w 3+d 17+8 4y 9+1 3+1
n 8 2+2 5+1 a+1 3+1 5+7 2+3 3 6+1 q+1 4 7+3 3+1 n 8 3 3 3+1 2 6+3 3+1 4+2 2+6 5 2+6 i+9 4 a 4 n 8 3
6+1 b 4 4+1 2+e 5+1 d+6 8 4 9+1 3+1 n 8 3 6+1 a+1 3+1 4+6 4+3 3 6+1 j+9 3 7+2 4 5+2 3 2 3+2 3+2 4+2
d+3 6+2 4 5+1 2+5 2+d m+4 e 4 o h+2 9 4 5+6 3 4+1 2+1 5+1 b+6 n 4 o b 6+1 a 4 5+6 3+5 3 5+1 b 4+b e
4 1g 4 7+3 h+1 r 4 j+2 p a 2+1 8+2 2+3 7 2 9+5 b+1 4+b 1n+3 u+10 3 2 6 p 2 o+1 6 2 8 b+1 5+v 21 11+3
14 11 g e+10 5j 2+4 2+1 ai 5+1 8 2 5+1 16 5+1 y 5+1 8 2 5+1 g 1m 5+1 1w+1 x+2 r+5 2f+1 7+1 im+2 2i+6
m+9 p+8 l+b e 4 3+b 2n+1 b+5 b+5 r+5 2i+6 18+4 1z+9 w d+3 d+3 2+2 17+1 6+a 19+3 r+5 c+2 1r+1 1u u+1
c+5 b+5 f+1 i+1q 26 4n+7 1p+2 g+2 1p+6 18+1 c+7 18+4 6z 7w+1 7+1 13+1 7+1 9 2 2 2 w+1 1i g f+1 7 k+1
4 a 2u d+1 s e+2 y+e y+e 3x+3 ij+l c+k 1ed+1 x 49 1c 45+4 1a 2+4 2+1 1l+6 3+d p+8 8 8 8 8 8 8 8 8
3j+x r 2i+b 5z+p 29 2f+1 2w+4 18 2n 2f+8 1d mlq+2 1k+8 9p+j 55+7 5d+1 a+7 2 2+u 1l+2 b+5 1l+7 1z+7
d+5 39+a v+2 27 c+3 y 1k+8 f+1 b+1 2w+n t+9 7+1 7+1 7+8 8 8 1p+3 3j+1 b+5 8md+b o+3 1e+3 6sv+1 2z+11
8+b 6+4 r 6 2 3 3 3i+f ce+1 1j+6 2+v 17+5 1g k 5+3 6 3s+1 2 5b+2 7+1 7+1 7+1 4+2 8 8+9 6+1 d r k 3
g+1 f+x 3g+4 4+3 1a+2 2h e+2 2+1a 1b+3l u+2 1e+e t+3 11+8 v+4 18+4 v 12+3 f+15 4f+1 b+5 11+3 11+3
15+7 1h+a 2+27 a 9 8 a g+b 8o+8 n+9 9+n 2+3i 7+1 2 19 3+2 2+1 o 21+7 a+1b k 3+4 y+2 s+4 2+1r 1l+3
l+1 1f 3+4 9 4 u+1 4+3 b+6 a+6 1t+v 14+3 d+8 1j+2 u+1 s+4 r+6 5+b 8+27 22+1i 1g+c 1g+6 1b+7 b+5 h+t
3+t 3+5r w 17 4+1 3+f 4+1i 2+2 15+7 17+l j+3 5+11 t+j o+8 27+3 v 6+8 1x+9 2+1 q+6 b+5 1i j+7 14+8 2p
l+a j 1c+1p 8 2 5 g c+5 1o+4 b+5 5 9+1 3+1 n 8 3 6 b+1 3+1 4+1 2+5 2+4 8+1 8+2 6+a 3+3 5+7 11 2 3
6+8 2 3+2 6 3+7 3+s 2l 6+t 21+7 b+4l 1j+1 13+x 1y+a b+5 e+i 1n+5 b+5 l+r s+1 g+3 o+54 1p+2r 2c+b 9+1
2+1 9 3 v 3+1 d+8 b+1x 9+1 1b+1 c+q 21+7 2c+c 22+6 b+51 z+d b+5 a 1a f+9 u+2 x+1 n f+20 8 3 19+2 2 3
a+7 b+5 7 3 12 3 7+6 b+8l q+6 i 16+2 4+1 p+2c 2+e 1f+c po+2t 34 6+a 5h+217 2s+c uv+9 330+4 g8+5a0
v+b 6 b+1c5 fu+6 w b+3 2a b+5 v+1 7+9 1z+9 b 8 m+4 k+bz 10 4+3 g+5h 2k+2s 24+3 1m+6 i+1r 6+a 3+d
4qh+7 yf+14 b+6w6 5 8 3 84+e 2+s 4+1 2+d 5+7 b1+1s3 30+4 e+2 a+6 b+1 9+317 5z+15 c5+23 1b+1 o+8
39+1n 6v+9 14+1 5f+k 1z+3d l+b l+b 2g+8 q+3q 2e 20 3+1 2+1 3+1 5 d 2 8 1u 5+1 9 8 t 5 6 2+2 8 9h+1
85+1 jj+e 6 g+un w+5 7+5w 8 i+1 8 3 6+5w 1a+2 f+1 b+3 3+8v v+h 1n+4 2+cv t+3 b+5x v+1 c+3 2+db 8 5 3
g 5i+1 h+14 25+3 b+3 3+ls 1x+23 1q+5d 5 s 3 2+1 2 b 5 2 2+5 2+3 2 2 2 4 3 2+1 2 2 2 2 2 3 2+1 5 8 5
5 2 b i+4 4 6 i+1f 3+7h 19+3 2t+b g+1 g g 12+9 4v+1j u+c 19+3 a+6 3+d 7+49 rd+3 i+2 e+2 3c+3 2o+5
d+3 2+e d+3 1l+7 b+5 15+7 v+1 d+3 3+1p 9h+b f+1 e+2 b+4 1l+6 g+1 c+5 a+6 44 2v+sl wyp+v 37f+5 67+1
4g3+d 5rm+e hb+1wh f3+15t 3t8+4 38h+f974 2+t 2p+3j 6p+1e6n 1ekf+1 1ekf+1
"""


def refused_code_points():
    first, last, ranges = 0, 0, []
    for word in REFUSED.split():
        distance, _, more = word.partition("+")
        first = last + int(distance, 36)
        last = first + int(more or "0", 36)
        ranges.append(f"{chr(first)}-{chr(last)}")
    return re.compile("[" + "".join(ranges) + "]")


REFUSED_CODE_POINTS = refused_code_points()


def path_problem(path):
    """R8 to R10: what is wrong with a path, or None."""
    if REFUSED_CODE_POINTS.search(path):
        return "contains a character that not every system knows"
    if unicodedata.normalize("NFC", path) != path:
        return "is not in Unicode normalization form C"
    if any(unicodedata.category(character) == "Cc" for character in path):
        return "contains a control character"
    if not 1 <= len(path.encode("utf-8")) <= 1024:
        return "is not 1 to 1,024 bytes long"
    if "\\" in path:
        return "contains a backslash"
    for segment in path.split("/"):
        if not 1 <= len(segment.encode("utf-8")) <= 255:
            return "has an empty segment or one of more than 255 bytes"
        if segment in (".", "..") or segment.endswith((".", " ")):
            return "has a segment that ends in a dot or a space"
        if re.match("[A-Za-z]:", segment) or DEVICE.fullmatch(segment):
            return "contains a drive letter or a Windows device name"
    return None


def collision_key(path):
    """R11."""
    if path.isascii():
        return path.lower()
    folded = []
    for character in unicodedata.normalize("NFC", path):
        upper = character.upper()
        same_length = len(upper.encode("utf-16-be")) == len(character.encode("utf-16-be"))
        folded.append((upper if same_length else character).lower())
    return unicodedata.normalize("NFC", "".join(folded))


def collisions(paths):
    problems, taken = [], {}
    for path in paths:
        if len(path.encode("utf-16-be")) > 2048:
            continue
        key = collision_key(path)
        if key in taken:
            problems.append("%s and %s are the same name on some systems" % (taken[key], path))
        else:
            taken[key] = path
    ordered = sorted(taken)
    for key, path in taken.items():
        at = bisect.bisect_left(ordered, key + "/")
        if at < len(ordered) and ordered[at].startswith(key + "/"):
            problems.append("%s is both a file and the folder of %s" % (path, taken[ordered[at]]))
    return problems


# ---- Sections 3, 4 and 10: manifest, receipt, proof. The functions *_problems return every problem of a document.

LIMITS = {
    "manifest.json": 64 * MIB,
    "receipt.json": 2**18,
    "receipt.canonical.json": 2**18,
    "receipt.sig": 64,
    "jwks.json": 4 * MIB,
}
ENVELOPE = tuple(LIMITS)
LOG_PROOF = "proofs/log.tlog-proof"
TIME_STAMP = "proofs/time.tsr"
PROOFS = (LOG_PROOF, TIME_STAMP)
ENVELOPE_KEYS = {collision_key(name) for name in ENVELOPE + ("proofs",)}


def _matches(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None


def _equals(text):
    return lambda value: isinstance(value, str) and value == text


def _is_text(value):
    return isinstance(value, str) and value != ""


def _is_count(value):
    return type(value) is int and value >= 0


def _is_base64url(length):
    return lambda value: from_base64url(value, length) is not None


def _is_instant(value):
    return isinstance(value, str) and milliseconds(value) is not None


_is_identifier = _matches("[A-Za-z0-9_-]{1,200}")
_is_sha256 = _matches("[0-9a-f]{64}")
INSTANT = re.compile(r"(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)\.(\d{3})Z", re.ASCII)


def milliseconds(text):
    """Milliseconds since 1970 of an RFC 3339 time, or None if it is not one."""
    match = INSTANT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, milli = (int(part) for part in match.groups())
    try:
        # 400 years later, because Python has no year 0. The calendar repeats after 146,097 days.
        days = datetime.date(year % 400 + 400, month, day).toordinal() + (year // 400 - 1) * 146097
    except ValueError:
        return None
    days -= datetime.date(1970, 1, 1).toordinal()
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milli


def from_base64url(text, length):
    """The decoded bytes, or None if this is not the one spelling of `length` bytes."""
    if not isinstance(text, str) or re.fullmatch("[A-Za-z0-9_-]*", text, re.ASCII) is None:
        return None
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return raw if len(raw) == length and to_base64url(raw) == text else None


def to_base64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def member_problems(what, value, rules):
    """Every problem of an object that must have exactly the members of `rules`."""
    if not isinstance(value, dict):
        return ["%s must be a JSON object" % what]
    problems = ["unknown member %s" % json.dumps(name) for name in value if name not in rules]
    for name, rule in rules.items():
        if name not in value:
            problems.append("%s is missing" % name)
        elif not rule(value[name]):
            problems.append("%s is malformed" % name)
    return problems


SHARED_RULES = {
    "receipt_version": _equals(VERSION),
    "kit_id": _is_identifier,
    "job_id": _is_identifier,
    "issued_at": _is_instant,
    "manifest_sha256": _is_sha256,
    "boundary": _is_text,
}
MANIFEST_RULES = dict(SHARED_RULES, artifacts=lambda value: isinstance(value, list) and value != [])
ARTIFACT_RULES = {"path": _is_text, "sha256": _is_sha256, "size_bytes": _is_count}
RECEIPT_RULES = dict(
    SHARED_RULES,
    issuer=_is_text,
    scope=_is_text,
    public_key_kid=_is_base64url(32),
    manifest_root_hash=_is_sha256,
    canonical_receipt_sha256=_is_sha256,
    signature_algorithm=_equals("Ed25519"),
    signature=_is_base64url(64),
)
PROOF_RULES = {
    "proof_version": _equals("kitseal-proof-1"),
    "path": lambda value: _is_text(value) and path_problem(value) is None,
    "sha256": _is_sha256,
    "size_bytes": _is_count,
    "leaf_index": _is_count,
    "tree_size": _is_count,
    "audit_path": lambda value: isinstance(value, list) and len(value) <= 64 and all(map(_is_sha256, value)),
    "receipt": lambda value: not receipt_problems(value),
    "jwks": lambda value: not key_set_problems(value),
}


def manifest_problems(value):
    """R12 to R14."""
    return (member_problems("the manifest", value, MANIFEST_RULES) or _artifact_problems(value["artifacts"]))[:20]


def _artifact_problems(artifacts):
    problems = []
    for index, artifact in enumerate(artifacts):
        problems += ["artifact %d: %s" % (index, text) for text in member_problems("it", artifact, ARTIFACT_RULES)]
    if problems:
        return problems
    before = b""
    for path in (artifact["path"] for artifact in artifacts):
        is_envelope = collision_key(path.split("/")[0]) in ENVELOPE_KEYS
        problem = "is an envelope name" if is_envelope else path_problem(path)
        if problem is not None:
            problems.append("path %s %s" % (json.dumps(path), problem))
        if path.encode("utf-8") < before:
            problems.append("path %s is not in sorted order" % json.dumps(path))
        before = path.encode("utf-8")
    return problems + ["paths " + text for text in collisions([artifact["path"] for artifact in artifacts])]


def receipt_problems(value):
    """R18."""
    return member_problems("the receipt", value, RECEIPT_RULES)


def proof_problems(value):
    """R48."""
    return member_problems("the proof", value, PROOF_RULES)


def load(data, what, problems_of):
    """Parses a document: (value, []) or (None, problems)."""
    if data is None:
        return None, ["%s is missing or cannot be read" % what]
    try:
        value = parse_json(data)
    except Malformed as error:
        return None, [str(error)]
    problems = problems_of(value)
    return (None, problems) if problems else (value, [])


def manifest_hash(manifest):
    """R15."""
    return sha256_hex(canonical(without(manifest, "manifest_sha256")))


def signed_bytes(receipt):
    """R20."""
    return canonical(without(receipt, "signature"))


def leaf_hash(artifact):
    leaf = {name: artifact[name] for name in ("path", "sha256", "size_bytes")}
    return hashlib.sha256(b"\0" + canonical(leaf)).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root_hash(artifacts):
    """R16."""

    def tree(leaves):
        if len(leaves) == 1:
            return leaves[0]
        split = 1 << ((len(leaves) - 1).bit_length() - 1)
        return node_hash(tree(leaves[:split]), tree(leaves[split:]))

    return tree([leaf_hash(artifact) for artifact in artifacts]).hex()


def root_from_proof(leaf, index, size, audit_path):
    """RFC 9162, section 2.1.3.2: the root hash, or None if the proof does not fit the tree."""
    if index >= size:
        return None
    first, last, result = index, size - 1, leaf
    for sibling in audit_path:
        if last == 0:
            return None
        if first & 1 or first == last:
            result = node_hash(sibling, result)
            while not first & 1 and first != 0:
                first, last = first >> 1, last >> 1
        else:
            result = node_hash(result, sibling)
        first, last = first >> 1, last >> 1
    return result.hex() if last == 0 else None


# ---- Section 5: keys

PRIVATE_MEMBERS = {"d", "p", "q", "dp", "dq", "qi", "oth", "k"}


class KeySet:
    """The keys of a set by kid, the rejected keys as (kid, reason), and the revoked keys by kid.

    `data` is the file, `is_confirmed` whether the reader states where it came from (R52), and `issuer` the one that the
    keys belong to, or None if they may verify any receipt.
    """

    def __init__(self, value, data=None, is_confirmed=False, issuer=None):
        self.data, self.is_confirmed, self.issuer = data, is_confirmed, issuer
        self.keys, self.rejected = {}, []
        for key in value["keys"]:
            kid = key["kid"] if isinstance(key.get("kid"), str) else None
            problem = _key_problem(key)
            if problem is None and not _is_ed25519(key):
                continue
            if problem is None and kid in self.keys:
                problem = "is listed twice"
            if problem is None:
                self.keys[kid] = key
            else:
                self.rejected.append((kid, problem))
        for kid, _ in self.rejected:
            self.keys.pop(kid, None)
        self.revoked = {entry["kid"]: entry for entry in value.get("revoked_keys", [])}


def key_set_problems(value):
    """R22 and R51."""
    if not isinstance(value, dict) or not isinstance(value.get("keys"), list):
        return ['not a key set: expected {"keys": [...]}']
    if not all(isinstance(key, dict) for key in value["keys"]):
        return ["not a key set: a key is not a JSON object"]
    if not _are_revoked_keys(value.get("revoked_keys", [])):
        return ["not a key set: revoked_keys is malformed"]
    return []


def _are_revoked_keys(value):
    rules = {"kid": _is_base64url(32), "revoked_at": _is_instant}
    for entry in value if isinstance(value, list) else [None]:
        has_since = isinstance(entry, dict) and "compromised_since" in entry
        if member_problems("it", entry, dict(rules, compromised_since=_is_instant) if has_since else rules):
            return False
    return len({entry["kid"] for entry in value}) == len(value)


def _is_ed25519(key):
    return key.get("kty") == "OKP" and key.get("crv") == "Ed25519"


def _key_problem(key):
    """R23 and R24."""
    if PRIVATE_MEMBERS & set(key):
        return "contains a private member, so it is compromised"
    if not _is_ed25519(key):
        return None
    if from_base64url(key.get("x"), 32) is None:
        return "has no x of 32 bytes in base64url"
    thumbprint = hashlib.sha256(canonical({"crv": "Ed25519", "kty": "OKP", "x": key["x"]})).digest()
    if key.get("kid") != to_base64url(thumbprint):
        return "has a kid that is not its thumbprint"
    if key.get("use", "sig") != "sig" or key.get("alg", "EdDSA") not in ("EdDSA", "Ed25519"):
        return "is not for Ed25519 signatures"
    if not all(_is_count(key[name]) for name in ("iat", "exp") if name in key):
        return "has an iat or exp that is not a time in seconds"
    return None


# ---- R20 and R21: Ed25519

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)


def _sqrt(square):
    root = pow(square, (P + 3) // 8, P)
    for candidate in (root, root * SQRT_MINUS_ONE % P):
        if candidate * candidate % P == square:
            return candidate
    return None


def _order_eight_y():
    """Doubling a point of order eight gives y = 0, so d·y⁴ + 2y² − 1 = 0 and y² = (−1 ± √(1 + d)) / d."""
    root, found = _sqrt((1 + D) % P), set()
    for sign in (1, -1):
        y = _sqrt((-1 + sign * root) * pow(D, P - 2, P) % P)
        if y is not None:
            found |= {y, P - y}
    return found


LOW_ORDER_Y = {0, 1, P - 1} | _order_eight_y()


def _add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _multiply(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point = _add(point, point)
        scalar >>= 1
    return total


def _decode_point(encoded):
    """The point, or None if it is not on the curve, not canonical or of low order."""
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= P or y in LOW_ORDER_Y:
        return None
    x = _sqrt((y * y - 1) * pow(D * y * y + 1, P - 2, P) % P)
    if x is None:
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = _decode_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signature_is_valid(public_key, message, signature):
    key, r = _decode_point(public_key), _decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= L:
        return False
    by_package = _verify_by_package(public_key, message, signature)
    if by_package is not None:
        return by_package
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    left, right = _multiply(s, BASE), _add(r, _multiply(k, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


USE_PACKAGE = True


def _verify_by_package(public_key, message, signature):
    """The answer of the package "cryptography", or None without it."""
    if not USE_PACKAGE:
        return None
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except Exception:
        return None
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        return True
    except InvalidSignature:
        return False
    except Exception:
        return None


# ---- Section 6: trust


class Trust:
    """What the reader trusts. A pin is (kid, issuer, key or None). `issuer` is the one that the receipt must name."""

    def __init__(self, key_sets=(), kids=(), pins=(), use_kit_keys=False, issuer=None, policy=None):
        self.key_sets, self.kids, self.pins = list(key_sets), list(kids), list(pins)
        self.use_kit_keys, self.issuer, self.policy = use_kit_keys, issuer, policy
        self.max_delay = DEFAULT_MAX_DELAY


class Choice:
    """The key to verify with, how it is trusted, and why there is none. `verdict` is that of an intact kit."""

    def __init__(self, verdict, key=None, trust="none", key_finding=None, trust_finding=None, revoked_at=None):
        self.verdict, self.key, self.trust, self.revoked_at = verdict, key, trust, revoked_at
        self.compromised = None
        self.key_findings = [key_finding] if key_finding else []
        self.trust_findings = [("signer_not_trusted", trust_finding)] if trust_finding else []


def choose_key(receipt, kit_keys, trust, trusted_time=None):
    """R26, with the verdicts of R53. `kit_keys` is the key set in the kit or proof, or None."""
    kid, issuer = receipt["public_key_kid"], receipt["issuer"]
    if trust.use_kit_keys:
        return _from_sets(kid, [kit_keys] if kit_keys else [], "kit", "sender_unconfirmed")
    revoked = [key_set.revoked[kid] for key_set in trust.key_sets if kid in key_set.revoked]
    if revoked and not _is_older(revoked, trusted_time, kid, kit_keys):
        return Choice("key_revoked", revoked_at=revoked[0]["revoked_at"])
    if revoked:
        choice = choose_key(receipt, kit_keys, _before_compromise(trust, kid, kit_keys))
        choice.compromised = revoked[0]
        return choice
    if trust.issuer not in (None, issuer):
        text = "the receipt names the issuer %s, not %s" % (issuer, trust.issuer)
        return Choice("signer_unknown", trust_finding=text)
    if trust.kids and kid not in trust.kids:
        text = "the receipt names key %s, but the pinned key is %s" % (kid, " or ".join(trust.kids))
        return Choice("signer_unknown", key_finding=("key_id_mismatch", text))
    if trust.key_sets:
        return _from_given_sets(kid, issuer, kit_keys, trust)
    if trust.kids:
        return _from_kit_by_kid(kid, kit_keys)
    return _from_pins(kid, issuer, kit_keys, trust.pins)


def _is_older(revoked, trusted_time, kid, kit_keys):
    """R67: whether the receipt is older than the compromise of its key."""
    return (
        trusted_time is not None
        and all("compromised_since" in one and trusted_time < milliseconds(one["compromised_since"]) for one in revoked)
        and kit_keys is not None
        and kid in kit_keys.keys
    )


def _before_compromise(trust, kid, kit_keys):
    """The key is taken from the kit by its kid, without its lifetime."""
    changed = copy.copy(trust)
    changed.key_sets = []
    for key_set in trust.key_sets:
        if kid in key_set.revoked:
            key_set = copy.copy(key_set)
            key_set.keys = dict(key_set.keys, **{kid: without(kit_keys.keys[kid], "iat", "exp")})
            key_set.revoked = without(key_set.revoked, kid)
        changed.key_sets.append(key_set)
    return changed


def _from_given_sets(kid, issuer, kit_keys, trust):
    if trust.kids:
        return _from_sets(kid, trust.key_sets, "pinned", "signer_unknown")
    # R52: a file with the bytes of the kit's own copy proves nothing.
    own = kit_keys.data if kit_keys else None
    sets = [one for one in trust.key_sets if one.is_confirmed or own is None or one.data != own]
    if not sets:
        text = "this key set is the kit's own copy. Get the key set from the issuer instead"
        return Choice("sender_unconfirmed", trust="kit", trust_finding=text)
    of_issuer = [one for one in sets if one.issuer in (None, issuer)]
    if of_issuer:
        return _from_sets(kid, of_issuer, "jwks", "signer_unknown")
    choice = _from_sets(kid, sets, "jwks", "sender_unconfirmed")
    if choice.key is None:
        return choice
    text = "key %s belongs to %s, but the receipt names the issuer %s" % (kid, sets[0].issuer, issuer)
    return Choice("signer_unknown", trust_finding=text)


def _from_sets(kid, sets, trust, verdict_without_key):
    rejected = [entry for key_set in sets for entry in key_set.rejected]
    for rejected_kid, problem in rejected:
        if rejected_kid == kid:
            return Choice(verdict_without_key, key_finding=("key_id_mismatch", "key %s %s" % (kid, problem)))
    found = [key_set.keys[kid] for key_set in sets if kid in key_set.keys]
    if not found:
        hint = "; a key in it %s" % rejected[0][1] if rejected else ""
        text = "key %s is not in the key set%s" % (kid, hint)
        return Choice(verdict_without_key, key_finding=("key_not_in_jwks", text))
    # R25: the latest iat and the earliest exp apply.
    key = without(found[0], "iat", "exp")
    for name, pick in (("iat", max), ("exp", min)):
        times = [one[name] for one in found if name in one]
        if times:
            key[name] = pick(times)
    return Choice("sender_unconfirmed" if trust == "kit" else "verified", key, trust)


def _from_kit_by_kid(kid, kit_keys):
    """A kid is a hash of its key, so a key in the kit with a pinned kid is the pinned key."""
    key = kit_keys.keys.get(kid) if kit_keys else None
    if key is not None:
        return Choice("verified", key, "pinned")
    text = "the kit does not contain the public key %s: give the issuer's key set with --jwks" % kid
    return Choice("sender_unconfirmed", key_finding=("key_not_in_jwks", text))


def _from_pins(kid, issuer, kit_keys, pins):
    for pinned_kid, pinned_issuer, key in pins:
        if (pinned_kid, pinned_issuer) == (kid, issuer):
            return Choice("verified", key, "pinned") if key else _from_kit_by_kid(kid, kit_keys)
    for pinned_kid, pinned_issuer, _ in pins:
        if pinned_kid == kid:
            text = "key %s is pinned for %s, but the receipt names the issuer %s" % (kid, pinned_issuer, issuer)
            return Choice("signer_unknown", trust_finding=text)
    if any(pinned_issuer == issuer for _, pinned_issuer, _ in pins):
        text = "key %s is not one of the keys pinned for %s" % (kid, issuer)
        return Choice("signer_unknown", trust_finding=text)
    return Choice("sender_unconfirmed", trust_finding="no key of %s was given" % issuer)


# ---- Section 12: the log

DECIMAL = re.compile("0|[1-9][0-9]{0,15}", re.ASCII)
# The characters with the property White_Space in Unicode.
WHITE_SPACE = re.compile("[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]")


def from_base64(text):
    """The bytes of their one spelling in base64."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raise Malformed("not base64") from None
    if base64.b64encode(raw).decode("ascii") != text:
        raise Malformed("not the one spelling of base64")
    return raw


def _decimal(text):
    if DECIMAL.fullmatch(text) is None or int(text) > 2**53 - 1:
        raise Malformed("%s is not a decimal in range" % json.dumps(text[:40]))
    return int(text)


def _hash(text):
    raw = from_base64(text)
    if len(raw) != 32:
        raise Malformed("a hash is not 32 bytes")
    return raw


def _is_key_name(name):
    return name != "" and "+" not in name and WHITE_SPACE.search(name) is None


class Checkpoint:
    """R55. `signatures` are (name, key ID, bytes)."""

    def __init__(self, data):
        if len(data) > 1000000:
            raise Malformed("the checkpoint is larger than 1,000,000 bytes")
        try:
            note = data.decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("the checkpoint is not UTF-8") from None
        if note.startswith("\ufeff") or any(letter < " " and letter != "\n" for letter in note):
            raise Malformed("the checkpoint contains a control character or a byte order mark")
        text, gap, signatures = note.rpartition("\n\n")
        if not gap or not signatures.endswith("\n"):
            raise Malformed("the checkpoint has no signatures, or does not end with a line feed")
        self.text = text + "\n"
        lines = text.split("\n")
        if len(lines) < 3 or "" in lines or len(lines[0].encode("utf-8")) > 255:
            raise Malformed("the text of the checkpoint is not an origin, a size and a root hash")
        self.origin, self.size, self.root = lines[0], _decimal(lines[1]), _hash(lines[2])
        self.signatures = [self._signature(line) for line in signatures[:-1].split("\n")]
        keys = {(name, key_id) for name, key_id, _ in self.signatures}
        if len(keys) < len(self.signatures) or len(keys) > 100:
            raise Malformed("the checkpoint has two signatures of one key, or more than 100")

    @staticmethod
    def _signature(line):
        words = line.split(" ")
        if len(words) != 3 or words[0] != "\u2014" or not _is_key_name(words[1]):
            raise Malformed("a signature line is malformed")
        raw = from_base64(words[2])
        if len(raw) < 5:
            raise Malformed("a signature is too short")
        return words[1], raw[:4], raw[4:]

    def signatures_by(self, key):
        return [raw for name, key_id, raw in self.signatures if (name, key_id) == (key.name, key.key_id)]


class LogProof:
    """R54."""

    def __init__(self, data):
        head, gap, checkpoint = data.partition(b"\n\n")
        try:
            lines = head.decode("ascii").split("\n")
        except UnicodeDecodeError:
            raise Malformed("the log proof is not ASCII") from None
        if not gap or lines.pop(0) != "c2sp.org/tlog-proof@v1":
            raise Malformed("the first line is not c2sp.org/tlog-proof@v1")
        if lines and lines[0].startswith("extra ") and from_base64(lines.pop(0)[6:]) == b"":
            raise Malformed("the extra data is empty")
        if not lines or not lines[0].startswith("index "):
            raise Malformed("there is no index")
        self.index = _decimal(lines.pop(0)[6:])
        if len(lines) > 63:
            raise Malformed("there are more than 63 hashes")
        self.hashes = [_hash(line) for line in lines]
        self.checkpoint = Checkpoint(checkpoint)
        if self.index >= self.checkpoint.size:
            raise Malformed("the index is not below the size of the log")


class LogKey:
    """R57: NAME+KEYID+BASE64."""

    LENGTHS = {1: 32, 4: 32, 6: 1312}

    def __init__(self, text):
        parts = text.split("+", 2)
        if len(parts) != 3 or not _is_key_name(parts[0]):
            raise Malformed("a key is not NAME+KEYID+BASE64")
        raw = from_base64(parts[2])
        self.name, self.type, self.public_key = parts[0], raw[0] if raw else 0, raw[1:]
        if len(self.public_key) != self.LENGTHS.get(self.type):
            raise Malformed("a key has an unknown type or length")
        self.key_id = hashlib.sha256(self.name.encode("utf-8") + b"\n" + raw).digest()[:4]
        if self.key_id.hex() != parts[1]:
            raise Malformed("a key ID is not that of its key")


class Policy:
    """R57. `logs` are keys; `witnesses` are (name, key); `quorum` is None, a name or (threshold, members)."""

    def __init__(self, data):
        if len(data) > 1000000 or data.count(b"\n") > 1000 or not data.endswith(b"\n"):
            raise Malformed("the policy is too long, or its last line does not end with a line feed")
        self.logs, self.witnesses, self.quorum = [], [], None
        self._defined, self._members, self._keys, self._quorums = {}, set(), set(), 0
        for number, line in enumerate(data[:-1].split(b"\n"), 1):
            try:
                self._read(line)
            except Malformed as error:
                raise Malformed("line %d: %s" % (number, error)) from None
        if self._quorums != 1:
            raise Malformed("there is not exactly one quorum")

    def _read(self, line):
        if any((byte < 0x20 and byte != 9) or byte == 0x7F for byte in line):
            raise Malformed("a control character")
        # Names are bytes: Latin-1 maps each byte to one character.
        words = [word.decode("latin-1") for word in re.split(b"[ \t]+", line) if word]
        if not words or words[0].startswith("#"):
            return
        kind, count = words[0], len(words) - 1
        if kind == "log" and count in (1, 2):
            self.logs.append(self._key(words[1], (1,)))
        elif kind == "witness" and count in (2, 3):
            self.witnesses.append((words[1], self._key(words[2], (4, 6))))
            self._define(words[1], words[1])
        elif kind == "group" and count >= 3:
            members = [self._member(name) for name in words[3:]]
            needed = {"all": len(members), "any": 1}.get(words[2])
            needed = _decimal(words[2]) if needed is None else needed
            if not 1 <= needed <= len(members):
                raise Malformed("the threshold is not between 1 and the number of members")
            self._define(words[1], (needed, members))
        elif kind == "quorum" and count == 1:
            self._quorums += 1
            if words[1] != "none":
                if words[1] not in self._defined:
                    raise Malformed("an unknown name")
                self.quorum = self._defined[words[1]]
        else:
            raise Malformed("not a log, witness, group or quorum line")

    def _key(self, text, types):
        try:
            key = LogKey(text.encode("latin-1").decode("utf-8"))
        except UnicodeDecodeError:
            raise Malformed("a key is not UTF-8") from None
        if key.type not in types or key.public_key in self._keys:
            raise Malformed("a key has a type for another purpose, or appears twice")
        self._keys.add(key.public_key)
        return key

    def _define(self, name, value):
        if name == "none" or name in self._defined:
            raise Malformed("a name is taken")
        self._defined[name] = value

    def _member(self, name):
        if name not in self._defined or name in self._members:
            raise Malformed("a member is not defined above, or already in a group")
        self._members.add(name)
        return self._defined[name]

    def is_met(self, cosigned, quorum):
        """R59."""
        if quorum is None or isinstance(quorum, str):
            return quorum is None or quorum in cosigned
        return sum(self.is_met(cosigned, member) for member in quorum[1]) >= quorum[0]


class Passed(list):
    """The outcome of a check that passed, with what was found."""

    def __init__(self, why):
        super().__init__()
        self.why = why


def checkpoint_signers(checkpoint, policy):
    """R58: (whether a log of the policy signed, when which witness cosigned), or the name of a key with a wrong one."""
    signed, cosigned, text = False, {}, checkpoint.text.encode("utf-8")
    for key in policy.logs:
        for raw in checkpoint.signatures_by(key) if key.name == checkpoint.origin else ():
            if len(raw) != 64 or not signature_is_valid(key.public_key, text, raw):
                return key.name
            signed = True
    for name, key in policy.witnesses:
        for raw in checkpoint.signatures_by(key) if key.type == 4 else ():
            time = int.from_bytes(raw[:8], "big")
            message = b"cosignature/v1\ntime %d\n" % time + text
            is_form = len(raw) == 72 and 1 <= time <= 2**53 - 1
            if not is_form or not signature_is_valid(key.public_key, message, raw[8:]):
                return key.name
            cosigned[name] = time
    return signed, cosigned


def receipt_leaf_hash(receipt):
    """R56."""
    leaf = {
        "leaf_version": "kitseal-leaf-1",
        "kind": "receipt",
        "receipt_sha256": sha256_hex(canonical(receipt)),
        "kid": receipt["public_key_kid"],
        "job_tag": sha256_hex(b"kitseal job tag v1\n" + receipt["job_id"].encode("utf-8")),
    }
    return hashlib.sha256(b"\0" + canonical(leaf)).digest()


class LogFacts:
    """The log proof of a kit, and who signed its checkpoint. `data` is None if the proof cannot be read."""

    def __init__(self, receipt, has_proof, data, policy):
        self.receipt, self.has_proof, self.policy = receipt, has_proof, policy
        self.proof, self.problem, self.signers = None, None, (False, {})
        if not has_proof:
            return
        try:
            if data is None:
                raise Malformed("the log proof cannot be read")
            self.proof = LogProof(data)
        except Malformed as error:
            self.problem = str(error)
            return
        if policy:
            self.signers = checkpoint_signers(self.proof.checkpoint, policy)

    @property
    def cosigned(self):
        return {} if isinstance(self.signers, str) else self.signers[1]

    def outcomes(self):
        """The two checks of the log."""
        if not self.has_proof and self.policy is None:
            return {}
        no_policy = "no log policy was given"
        if not self.has_proof:
            missing = [("log_proof_missing", "the policy asks for a log proof, and there is none")]
            return {"receipt_is_logged": "there is no log proof", "log_is_witnessed": missing}
        if self.problem is not None:
            why = no_policy if self.policy is None else "there is no valid log proof"
            return {"receipt_is_logged": [("log_proof_malformed", self.problem)], "log_is_witnessed": why}
        logged = check_log_proof(self.receipt, self.proof, self.signers, self.policy is not None)
        if self.policy is None:
            return {"receipt_is_logged": logged, "log_is_witnessed": no_policy}
        witnessed = check_witnesses(self.proof.checkpoint, self.policy, self.signers)
        return {"receipt_is_logged": logged, "log_is_witnessed": witnessed}

    def times(self):
        """R66: the time of the quorum in milliseconds, if the policy asks for one; None if the log does not confirm."""
        if any(outcome and isinstance(outcome, list) for outcome in self.outcomes().values()) or not self.proof:
            return None
        if self.policy is None or self.policy.quorum is None:
            return []
        names = set()
        for name, time in sorted(self.cosigned.items(), key=lambda item: item[1]):
            names.add(name)
            if self.policy.is_met(names, self.policy.quorum):
                return [time * 1000]
        return None


def check_log_proof(receipt, proof, signers, has_policy):
    if receipt is None:
        return "there is no valid receipt"
    findings, checkpoint = [], proof.checkpoint
    root = root_from_proof(receipt_leaf_hash(receipt), proof.index, checkpoint.size, proof.hashes)
    if root != checkpoint.root.hex():
        text = "the log proof does not lead from this receipt to the root hash of %s" % checkpoint.origin
        findings.append(("log_proof_mismatch", text))
    if isinstance(signers, str):
        findings.append(("log_signature_invalid", "the signature of %s is not valid" % signers))
    if findings:
        return findings
    if not signers[0]:
        why = "the log proof fits, but who signed it was not checked: no key of %s is known from outside the kit"
        if has_policy:
            why = "the log proof fits, but no log in the policy signed the checkpoint of %s"
        return why % checkpoint.origin
    return Passed(
        "entry %d of the log %s, which then had %d entries" % (proof.index + 1, checkpoint.origin, checkpoint.size)
    )


def readable(time):
    """`2026-03-04 05:06:08 UTC`, for sentences."""
    return re.sub(r"T(\S+?)(?:\.000)?Z$", r" \1 UTC", time)


def check_witnesses(checkpoint, policy, signers):
    """R59."""
    if isinstance(signers, str):
        return "a signature in the log proof is not valid"
    signed, cosigned = signers
    if not signed:
        return [("log_unknown", "no log in the policy signed the checkpoint of %s" % checkpoint.origin)]
    total = len(policy.witnesses)
    text = "%d of %d witnesses cosigned" % (len(cosigned), total) if total else "it names no witnesses"
    if policy.is_met(cosigned, policy.quorum):
        return Passed(text) if total else "the policy names no witnesses"
    return [("log_quorum_not_met", text + ", which is less than the policy asks for")]


# ---- R66: trusted time

DEFAULT_MAX_DELAY, MAX_SKEW = 24 * 3600, 300
EPOCH = datetime.datetime(1970, 1, 1)


# Time-stamps (RFC 3161) are not checked here.
STAMPED = (
    "the time-stamp is not checked here: save the checkpoint of %s as checkpoint.txt and use "
    "openssl ts -verify -data checkpoint.txt -in %s -CAfile ROOTS.pem"
)


class TimeFacts:
    """The outcome of time_is_confirmed (None if it is not made), and the trusted time if it is in bounds."""

    def __init__(self, receipt, log, has_time_stamp, trust):
        self.outcome = self.trusted = None
        if trust.policy is None:
            if has_time_stamp:
                self.outcome = STAMPED % (LOG_PROOF, TIME_STAMP)
            return
        times = log.times() if receipt else None
        if not times:
            self.outcome = "no witnesses that you trust state a time"
            return
        self._check_bounds(receipt, max(times), trust, log)

    def _check_bounds(self, receipt, time, trust, log):
        issued = milliseconds(receipt["issued_at"])
        text = (EPOCH + datetime.timedelta(milliseconds=time)).isoformat(timespec="milliseconds") + "Z"
        if not time - trust.max_delay * 1000 <= issued <= time + MAX_SKEW * 1000:
            why = "the receipt says that it was issued at %s, which does not fit the trusted time %s"
            self.outcome = [("time_out_of_bounds", why % (receipt["issued_at"], text))]
            return
        count = len(trust.policy.witnesses)
        by = "seen by %d of %d %s" % (len(log.cosigned), count, "witness" if count == 1 else "witnesses")
        self.outcome, self.trusted = Passed("existed before %s (%s)" % (readable(text), by)), time


# ---- Section 8: archives


class Unreadable(Exception):
    """The archive or one of its entries is rejected."""


class Source:
    """A file to read at any offset."""

    def __init__(self, file):
        self.file = file
        self.size = file.seek(0, os.SEEK_END)

    def read(self, at, length):
        try:
            self.file.seek(at)
            data = self.file.read(length)
        except (OSError, ValueError, OverflowError) as error:
            raise Unreadable("cannot be read: %s" % error) from None
        if len(data) != length:
            raise Unreadable("the data reaches past the end of the archive")
        return data

    def pieces(self, at, length):
        while length > 0:
            piece = self.read(at, min(length, PIECE))
            yield piece
            at, length = at + len(piece), length - len(piece)


class Entry:
    __slots__ = (
        "name", "made", "needed", "flags", "method", "time", "date", "crc", "packed", "size", "internal",
        "external", "offset", "extra", "is_folder",
    )  # fmt: skip


def read_directory(source):
    """The entries in the order of their data, and the offset of the directory (R33 to R41)."""
    end, record = _end_record(source)
    disk, start_disk, here, count, size, offset, comment = struct.unpack_from("<HHHHIIH", record, 4)
    if disk or start_disk or here != count:
        raise Unreadable("the end record names several disks or counts entries in two ways")
    stop, versions = end, None
    locator = source.read(end - 20, 20) if end >= 20 else b""
    if locator[:4] == b"PK\x06\x07":
        stop, versions, count, size, offset = _zip64_end(source, locator, end - 20, count, size, offset)
    elif count == 0xFFFF or size == 0xFFFFFFFF or offset == 0xFFFFFFFF:
        raise Unreadable("the zip64 end record is missing")
    if offset + size != stop:
        raise Unreadable("there is data between the directory and the end record")
    if size > 256 * MIB:
        raise Unreadable("the directory is larger than 256 MiB")
    directory = source.read(offset, size)
    entries, at = [], 0
    for _ in range(count):
        entry, at = _central_header(directory, at)
        entries.append(entry)
    if at != size:
        raise Unreadable("there is data after the last entry of the directory")
    _check_issued_form(entries, comment, versions)
    entries.sort(key=lambda entry: entry.offset)
    if (entries[0].offset if entries else offset) != 0:
        raise Unreadable("there is data before the first entry")
    names = {entry.name[:-1] if entry.is_folder else entry.name for entry in entries}
    if len(names) != len(entries):
        raise Unreadable("two entries have the same name")
    return entries, offset


def _end_record(source):
    length = min(source.size, 65577)
    tail, base = source.read(source.size - length, length), source.size - length
    found, at = None, tail.rfind(b"PK\x05\x06", 0, max(0, length - 18))
    while at != -1:
        fits = at + 22 + struct.unpack_from("<H", tail, at + 20)[0] == length
        if found is None and not fits:
            raise Unreadable("there is data after the end record")
        if fits and found is not None:
            raise Unreadable("there are two end records")
        found = at if fits else found
        at = tail.rfind(b"PK\x05\x06", 0, at + 3)
    if found is None:
        raise Unreadable("not a zip archive: there is no end record")
    return base + found, tail[found : found + 22]


def _zip64_end(source, locator, locator_at, count, size, offset):
    disk, at, disks = struct.unpack_from("<IQI", locator, 4)
    if disk != 0 or disks != 1 or at != locator_at - 56:
        raise Unreadable("the zip64 locator is wrong")
    record = source.read(at, 56)
    signature, length, made, needed, d1, d2, here, total, size64, offset64 = struct.unpack("<4sQHHIIQQQQ", record)
    if signature != b"PK\x06\x06" or length != 44 or d1 or d2 or here != total:
        raise Unreadable("the zip64 end record is damaged")
    for plain, wide, full in ((count, total, 0xFFFF), (size, size64, 0xFFFFFFFF), (offset, offset64, 0xFFFFFFFF)):
        if plain not in (full, wide) or wide >= 2**53:
            raise Unreadable("the two end records disagree")
    return at, (made, needed), total, size64, offset64


def _central_header(data, at):
    if at + 46 > len(data) or data[at : at + 4] != b"PK\x01\x02":
        raise Unreadable("the directory is damaged")
    entry = Entry()
    (
        entry.made, entry.needed, entry.flags, entry.method, entry.time, entry.date, entry.crc, packed, size,
        name_length, extra_length, comment_length, disk, entry.internal, entry.external, offset,
    ) = struct.unpack_from("<HHHHHHIIIHHHHHII", data, at + 4)  # fmt: skip
    extra_at = at + 46 + name_length
    after = extra_at + extra_length + comment_length
    if after > len(data):
        raise Unreadable("the directory is damaged")
    fields = _extra_fields(data[extra_at : extra_at + extra_length])
    entry.name = _entry_name(data[at + 46 : extra_at], entry.flags, fields)
    entry.size, entry.packed, entry.offset = _zip64_values(fields, (size, packed, offset))
    entry.extra, entry.is_folder = frozenset(fields), entry.name.endswith("/")
    if disk or comment_length:
        raise Unreadable("%s is on another disk or has a comment" % entry.name)
    _check_entry(entry)
    return entry, after


def _check_entry(entry):
    """R38 and R39."""
    if entry.flags & ~0x080E or entry.extra & {0x0017, 0x9901}:
        raise Unreadable("%s is encrypted or uses an unsupported feature" % entry.name)
    if entry.method not in (0, 8) or (entry.method == 0 and entry.packed != entry.size):
        raise Unreadable("%s has an unsupported method or two sizes" % entry.name)
    if entry.is_folder and (entry.size or entry.packed or entry.crc):
        raise Unreadable("%s is a folder with data" % entry.name)
    kind = entry.external >> 28 if entry.made >> 8 in (3, 19) else 0
    if kind not in (0, 4, 8) or (kind == 8 and entry.is_folder):
        raise Unreadable("%s is a link, a device, or a file named like a folder" % entry.name)
    if (kind == 4 or entry.external & 0x10) and not entry.is_folder:
        raise Unreadable("%s is a folder that is not named like one" % entry.name)


def _check_issued_form(entries, comment, zip64_versions):
    """R41."""
    if all(entry.made != 0x033E for entry in entries):
        return
    first, before = entries[0], -1
    holds = not comment and zip64_versions in (None, (0x033E, 45))
    for entry in entries:
        holds = (
            holds
            and (entry.made, entry.flags, entry.method) == (0x033E, 0x0800, 0)
            and (entry.internal, entry.external) == (0, 0x81A40000)
            and entry.extra <= {1}
            and entry.needed == (45 if entry.extra else 20)
            and (entry.time, entry.date) == (first.time, first.date)
            and entry.offset > before
            and not entry.is_folder
        )
        before = entry.offset
    if not holds:
        raise Unreadable("the archive claims to be the issued one but does not have its form")


def _extra_fields(data):
    """R36."""
    fields, at = {}, 0
    while at < len(data):
        if at + 4 > len(data):
            raise Unreadable("an extra field is malformed")
        identity, length = struct.unpack_from("<HH", data, at)
        if at + 4 + length > len(data) or identity in fields:
            raise Unreadable("an extra field is malformed or duplicate")
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
        raise Unreadable("a zip64 field has the wrong length")
    wide = iter(struct.unpack("<%dQ" % saturated, fields[1]))
    result = tuple(next(wide) if value == 0xFFFFFFFF else value for value in values)
    if any(value >= 2**53 for value in result):
        raise Unreadable("a size is beyond 2^53")
    return result


def _entry_name(raw, flags, fields):
    """R37."""
    try:
        name = raw.decode("utf-8")
        again = fields[0x7075][5:].decode("utf-8") if 0x7075 in fields else None
    except UnicodeDecodeError:
        raise Unreadable("an entry has a name that is not UTF-8") from None
    if again is not None and again != name:
        raise Unreadable("an entry has two names")
    is_plain = all(0x20 <= byte <= 0x7E for byte in raw)
    if not raw or b"\0" in raw or (not is_plain and not flags & 0x0800 and again is None):
        raise Unreadable("the encoding of a name is ambiguous")
    return name


def data_offset(source, entry):
    """The offset of an entry's data, after comparing its local header with the directory (R42)."""
    header = source.read(entry.offset, 30)
    signature, needed, flags, method, time, date, crc, packed, size, name_length, extra_length = struct.unpack(
        "<4sHHHHHIIIHH", header
    )
    if signature != b"PK\x03\x04":
        raise Unreadable("there is no local header")
    rest = source.read(entry.offset + 30, name_length + extra_length)
    fields = _extra_fields(rest[name_length:])
    name = _entry_name(rest[:name_length], flags, fields)
    if set(fields) & {0x0017, 0x9901} or (entry.made == 0x033E and not set(fields) <= {1}):
        raise Unreadable("the local header has an unsupported extra field")
    size, packed = _zip64_values(fields, (size, packed))
    directory = (entry.needed, entry.flags, entry.method, entry.time, entry.date, entry.name)
    is_late = flags & 8 and (crc, packed, size) == (0, 0, 0)
    is_same = is_late or (crc, packed, size) == (entry.crc, entry.packed, entry.size)
    if (needed, flags, method, time, date, name) != directory or not is_same:
        raise Unreadable("the local header and the directory disagree")
    return entry.offset + 30 + len(rest)


def check_end(source, entry, start, following):
    """R43: the data ends where the next header begins."""
    gap = following - (start + entry.packed)
    if gap < 0:
        raise Unreadable("it overlaps the next entry")
    if not entry.flags & 8:
        if gap:
            raise Unreadable("there is data after it")
        return
    if gap > 24 or not _descriptor_agrees(source.read(start + entry.packed, gap), entry):
        raise Unreadable("its data descriptor is missing or wrong")
    if entry.method == 0 and _has_descriptor_inside(source, start, entry.size):
        raise Unreadable("its data contains a data descriptor")


def _descriptor_agrees(raw, entry):
    for form in ("<III", "<4sIII", "<IQQ", "<4sIQQ"):
        if struct.calcsize(form) == len(raw):
            values = struct.unpack(form, raw)
            is_clear = values[0] == b"PK\x07\x08" if form[1] == "4" else entry.crc != 0x08074B50
            return is_clear and values[-3:] == (entry.crc, entry.packed, entry.size)
    return False


def _has_descriptor_inside(source, start, size):
    """Whether the signature occurs before the end of the data, followed by a size that would end the data there."""
    at = 0
    while at < size:
        # A descriptor that begins in the last bytes of the data reaches into the real one.
        length = min(PIECE + 12, size + 12 - at)
        window = source.read(start + at, min(length, source.size - start - at))
        found = window.find(b"PK\x07\x08")
        while found != -1 and found < PIECE and at + found < size and found + 12 <= len(window):
            if struct.unpack_from("<I", window, found + 8)[0] == (at + found) & 0xFFFFFFFF:
                return True
            found = window.find(b"PK\x07\x08", found + 1)
        at += PIECE
    return False


def content(source, entry, start):
    """The content of an entry, in pieces (R44)."""
    packed = source.pieces(start, entry.packed)
    if entry.method == 0:
        for piece in packed:
            yield piece
        return
    inflater, left = zlib.decompressobj(-15), entry.size
    try:
        for piece in packed:
            if inflater.eof:
                raise Unreadable("there is data after the compressed stream")
            while piece:
                out = inflater.decompress(piece, PIECE)
                left -= len(out)
                if left < 0:
                    raise Unreadable("the compressed data is longer than stated")
                yield out
                piece = inflater.unconsumed_tail
        while not inflater.eof:
            out = inflater.decompress(b"", PIECE)
            left -= len(out)
            if not out or left < 0:
                break
            yield out
    except zlib.error:
        raise Unreadable("the compressed data is damaged") from None
    if not inflater.eof or inflater.unused_data or left != 0:
        raise Unreadable("the compressed data does not match its sizes")


# ---- Section 7: the files of a kit. Its classes have folder_name, sizes (by path), problems, read() and measure().


class Kit:
    """A kit that is open until the `with` block ends."""

    file = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.file is not None:
            self.file.close()


class ZipKit(Kit):
    def __init__(self, source, file=None):
        """`file` is closed with the kit."""
        self.source, self.folder_name, self.problems, self.file = source, None, [], file
        self.entries, self.end, self.files = [], 0, {}
        try:
            self.entries, self.end = read_directory(source)
        except Unreadable as problem:
            self.problems = [str(problem)]
        else:
            self._list_files()
        self.sizes = {path: entry.size for path, entry in self.files.items()}

    def _list_files(self):
        """R46."""
        self.folder_name = self.entries[0].name.split("/")[0] if self.entries else ""
        for entry in self.entries:
            if not entry.name.startswith(self.folder_name + "/"):
                self.problems.append("%s is outside the kit's folder" % entry.name)
            elif not entry.is_folder:
                self.files[self._path(entry)] = entry
        names = sorted(entry.name for entry in self.entries)
        for name, following in zip(names, names[1:] + [""]):
            if name.endswith("/") and not following.startswith(name):
                self.problems.append("%s is an empty folder" % name)
        self.problems += collisions(self.files)

    def _path(self, entry):
        return entry.name[len(self.folder_name) + 1 :]

    def read(self, path, limit):
        entry = self.files.get(path)
        if entry is None or entry.size > limit:
            return None
        try:
            return b"".join(content(self.source, entry, data_offset(self.source, entry)))
        except Unreadable:
            return None

    def measure(self, is_wanted, vouched):
        """The SHA-256 of each wanted file, and problems (R42 to R45)."""
        hashes, problems = {}, []
        ends = [entry.offset for entry in self.entries[1:]] + [self.end]
        for entry, following in zip(self.entries, ends):
            path = self._path(entry)
            try:
                start = data_offset(self.source, entry)
                check_end(self.source, entry, start, following)
                if entry.is_folder or not is_wanted(path):
                    continue
                crc, digest = 0, hashlib.sha256()
                for piece in content(self.source, entry, start):
                    digest.update(piece)
                    crc = crc if path in vouched else zlib.crc32(piece, crc)
                hashes[path] = digest.hexdigest()
                if entry.crc != vouched.get(path, crc):
                    problems.append("%s: the CRC-32 is wrong" % entry.name)
            except Unreadable as problem:
                problems.append("%s: %s" % (entry.name, problem))
        return hashes, problems


class FolderKit(Kit):
    def __init__(self, folder):
        self.folder_name, self.problems, found = None, [], []
        self.places = {}
        self._walk(os.fsencode(folder), "", found)
        found.sort(key=lambda item: item[0].encode("utf-8"))
        self.sizes = {path: size for path, size, _ in found if size is not None}
        self.problems += ["%s %s" % (path, problem) for path, _, problem in found if problem is not None]
        self.problems += collisions(self.sizes)

    def _walk(self, place, prefix, found):
        """Collects (path, size or None, problem or None). Links are never followed."""
        pending = [(place, prefix)]
        while pending:
            place, prefix = pending.pop()
            try:
                items = list(os.scandir(place))
            except OSError as error:
                if prefix == "":
                    raise
                found.append((prefix[:-1], None, "cannot be listed: %s" % error.strerror))
                continue
            for item in items:
                path = prefix + _display_name(item.name)
                size, problem = None, None
                try:
                    info = item.stat(follow_symlinks=False)
                except OSError as error:
                    found.append((path, None, "cannot be read: %s" % error.strerror))
                    continue
                is_junction = getattr(info, "st_reparse_tag", 0) == 0xA0000003
                if stat.S_ISLNK(info.st_mode) or is_junction:
                    problem = "is a symbolic link"
                elif stat.S_ISDIR(info.st_mode):
                    pending.append((item.path, path + "/"))
                    continue
                elif not stat.S_ISREG(info.st_mode):
                    problem = "is a special file"
                else:
                    # No path in a manifest contains a backslash, so a name that is not UTF-8 cannot be a listed one.
                    size, problem = info.st_size, None if _is_utf8(item.name) else "has a name that is not UTF-8"
                    self.places[path] = item.path
                found.append((path, size, problem))

    def read(self, path, limit):
        if path not in self.sizes:
            return None
        try:
            with open(self.places[path], "rb") as file:
                data = file.read(limit + 1)
        except OSError:
            return None
        return data if len(data) <= limit else None

    def measure(self, is_wanted, _vouched):
        hashes, problems = {}, []
        for path in filter(is_wanted, self.sizes):
            try:
                hashes[path], _ = hash_file(self.places[path])
            except OSError as error:
                problems.append("%s cannot be read: %s" % (path, error.strerror))
        return hashes, problems


class UnreadableKit(Kit):
    """A kit of which nothing can be read."""

    def __init__(self, problem):
        self.folder_name, self.sizes, self.problems = None, {}, [problem]

    def read(self, _path, _limit):
        return None

    def measure(self, _is_wanted, _vouched):
        return {}, []


def _is_utf8(name):
    try:
        return bool(name.decode("utf-8")) or True
    except UnicodeDecodeError:
        return False


def _display_name(name):
    return name.decode("utf-8") if _is_utf8(name) else name.decode("ascii", "backslashreplace")


def hash_file(path):
    """The SHA-256 and the size of a file."""
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(PIECE), b""):
            digest.update(piece)
            size += len(piece)
    return digest.hexdigest(), size


class Examined:
    """A kit, read and hashed."""

    def __init__(self, kit):
        self.folder_name, self.sizes = kit.folder_name, kit.sizes
        self.envelope = {name: kit.read(name, LIMITS[name]) for name in ENVELOPE}
        self.manifest, self.manifest_problems = load(
            self.envelope["manifest.json"], "manifest.json", manifest_problems
        )
        self.listed = {one["path"]: one for one in self.manifest["artifacts"]} if self.manifest else {}
        self.bag_info = kit.read("bag-info.txt", 16 * MIB)
        self.has_log_proof, self.log_proof = LOG_PROOF in kit.sizes, kit.read(LOG_PROOF, 2**18)
        self.has_time_stamp = TIME_STAMP in kit.sizes
        self.intake_report = kit.read("reports/intake_report.json", 16 * MIB)
        self.provenance = kit.read(PROVENANCE, 16 * MIB)
        self.is_unreadable = not kit.sizes and bool(kit.problems)
        self.is_kit = "manifest.json" in kit.sizes or "receipt.json" in kit.sizes
        vouched = _vouched(kit) if "reports/crc32.json" in self.listed else {}
        envelope = ENVELOPE + PROOFS
        self.hashes, problems = kit.measure(lambda path: path in self.listed or path in envelope, vouched)
        self.problems = kit.problems + problems


def _vouched(kit):
    """R45: the CRC-32s that reports/crc32.json states."""
    report = kit.read("reports/crc32.json", 16 * MIB)
    try:
        value = parse_json(report) if report is not None else None
    except Malformed:
        return {}
    stated = value.get("crc32") if isinstance(value, dict) else None
    if not isinstance(stated, dict):
        return {}
    is_crc = _matches("[0-9a-f]{8}")
    return {
        path: int(crc, 16)
        for path, crc in stated.items()
        if is_crc(crc) and path != "reports/crc32.json" and collision_key(path.split("/")[0]) not in ENVELOPE_KEYS
    }


# ---- Section 15: provenance

PROVENANCE = "reports/provenance.json"
HIDDEN = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
DAY = re.compile(
    r"((?:19[7-9]\d|20\d\d)-\d\d-\d\d)(?:T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?"
    r"(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d)))?",
    re.ASCII,
)


def _line(longest, pattern="[^%s]" % HIDDEN):
    return lambda value: isinstance(value, str) and re.fullmatch("(?:%s){1,%d}" % (pattern, longest), value) is not None


def _lines_of_text(longest):
    return _line(longest, "[^%s]|[\\t\\n]" % HIDDEN)


def _day_span(value):
    """First and last millisecond of a day or a time, or None if it is neither."""
    match = DAY.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    day, time, fraction, sign, hours, minutes = match.groups()
    text = "%sT%s.%sZ" % (day, time or "00:00:00", ((fraction or "") + "000")[:3])
    start = milliseconds(text)
    if start is None:
        return None
    shift = (int(hours) * 60 + int(minutes)) * 60000 if hours else 0
    start += shift if sign == "-" else -shift
    return start, start + (0 if time else 86400000 - 1)


def _is_period(value):
    if member_problems("it", value, {"from": _day_span, "to": _day_span}):
        return False
    return _day_span(value["from"])[0] <= _day_span(value["to"])[1]


def _has(rules, *optional):
    """An object with these members, of which the optional ones may be missing."""
    return lambda value: isinstance(value, dict) and not member_problems(
        "it", value, {name: rule for name, rule in rules.items() if name in value or name not in optional}
    )


_is_counts = lambda value: isinstance(value, list) and len(value) <= 50 and all(map(_COUNT, value))
_COUNT = _has({"name": _line(100), "count": _is_count})
_COLLECTOR = _has(
    {"name": _line(200), "version": _line(100), "command": _lines_of_text(2000)}, "version", "command"
)
# Statement, required and optional members of each source.
SOURCES = {
    "ci_token": (
        "verified",
        {"issuer": _line(500)},
        dict.fromkeys(("repository", "ref", "commit", "workflow", "run", "attempt"), _line(500)),
    ),
    "upload": (
        "verified",
        {"at": _is_instant, "route": _matches("browser|api|request_link"), "protocol": _matches("form|tus")},
        dict(dict.fromkeys(("workspace_id", "key_id", "member_id", "link_id"), _is_identifier), key_name=_line(200)),
    ),
    "service": ("verified", {"at": _is_instant}, {}),
    "confirmed_address": ("verified", {"address": _line(320), "confirmed_at": _is_instant}, {}),
    "supplier": (
        "stated",
        {},
        {
            "collector": _COLLECTOR,
            "collected_at": _day_span,
            "period": _is_period,
            "system": _line(500),
            "query": _lines_of_text(4000),
            "name": _line(200),
        },
    ),
    "client": ("stated", {"name": _line(200)}, {"version": _line(100)}),
    "recognised": (
        "stated",
        {"format": _line(100), "counts": _is_counts, "summary": _lines_of_text(1000)},
        {"tool": _line(200), "version": _line(200), "target": _line(500), "time": _line(40)},
    ),
}


def provenance_problems(value, listed=None):
    """R68, R69."""
    rules = {
        "provenance_version": _equals("kitseal-provenance-1"),
        "entries": lambda entries: isinstance(entries, list),
        "boundary": _is_text,
    }
    problems = member_problems("the provenance report", value, rules)
    if problems:
        return problems
    for index, entry in enumerate(value["entries"]):
        source = entry.get("source") if isinstance(entry, dict) else None
        if not isinstance(source, str) or source not in SOURCES:
            problems.append("entry %d: source is unknown" % index)
            continue
        statement, required, optional = SOURCES[source]
        rules = {"paths": _are_paths(listed), "source": _equals(source), "statement": _equals(statement)}
        if not _has({**rules, **required, **optional}, *optional)(entry) or len(entry) < 4:
            problems.append("entry %d is malformed" % index)
    return problems


def _are_paths(listed):
    def is_file(path):
        return isinstance(path, str) and path.startswith("data/") and (listed is None or path in listed)

    return lambda value: value == "all files" or (
        isinstance(value, list) and value != [] and all(map(is_file, value)) and len(set(value)) == len(value)
    )


def provenance_report(examined, verdict):
    """R69: what an intact kit says about where its files came from, or None."""
    if PROVENANCE not in examined.listed or verdict in ("altered", "unreadable"):
        return None
    value, problems = load(
        examined.provenance, PROVENANCE, lambda parsed: provenance_problems(parsed, examined.listed)
    )
    problem = "%s is malformed: %s" % (PROVENANCE, problems[0]) if value is None else None
    entries = value["entries"] if value is not None else []
    return {"confirmed": verdict == "verified", "problem": problem, "entries": entries}


# ---- Section 9: the checks. Each returns a list of (code, text), empty for a pass, or the reason why it did not run.

CHECKS = {
    "kit_reads_in_one_way": "The archive is well-formed and unambiguous",
    "files_match_manifest": "Every file in the manifest is present and unchanged",
    "nothing_was_added": "The kit contains no files that the manifest does not list",
    "file_matches_proof": "The file belongs to the kit that the receipt was issued for",
    "manifest_matches_receipt": "The manifest matches the receipt",
    "receipt_is_whole": "The receipt is well-formed and matches its own hash",
    "envelope_agrees": "The receipt, signature and key set files are consistent",
    "key_id_matches_public_key": "The receipt's key ID matches a public key",
    "key_was_alive": "The signing key was active when the receipt was issued",
    "signature_verifies": "The receipt's Ed25519 signature is valid",
    "signer_is_trusted": "The signing key is known from outside the kit",
    "receipt_is_logged": "The receipt is in a log whose key is known from outside the kit",
    "log_is_witnessed": "The log and its witnesses meet your policy",
    "time_is_confirmed": "Witnesses or a time-stamp confirm the time of the receipt",
}


def check_archive(kit, receipt):
    findings = [("kit_unreadable", problem) for problem in kit.problems]
    if receipt and kit.folder_name is not None and kit.folder_name != receipt["kit_id"]:
        text = "the folder is named %s, but the receipt is for %s" % (kit.folder_name, receipt["kit_id"])
        findings.append(("kit_unreadable", text))
    return findings


def check_files(kit):
    """R28."""
    if kit.manifest is None:
        return "there is no valid manifest to compare with"
    findings = []
    for path, artifact in kit.listed.items():
        actual, size = kit.hashes.get(path), kit.sizes.get(path)
        if actual is None:
            how = "is missing" if path not in kit.sizes else "cannot be read"
            findings.append(("artifact_missing", "%s %s" % (path, how)))
        elif actual != artifact["sha256"]:
            text = "%s was changed: its SHA-256 is %s, the manifest lists %s" % (path, actual, artifact["sha256"])
            findings.append(("artifact_hash_mismatch", text))
        elif size != artifact["size_bytes"]:
            text = "%s has %d bytes, the manifest lists %d" % (path, size, artifact["size_bytes"])
            findings.append(("artifact_size_mismatch", text))
    if not findings and kit.problems:
        return "the archive is not well-formed"
    return findings


def check_additions(kit):
    """R29."""
    if kit.manifest is None:
        return "there is no valid manifest to compare with"
    added = (path for path in kit.sizes if path not in kit.listed and path not in ENVELOPE + PROOFS)
    return [
        ("proof_unknown", "%s was added, or this kit was made by a newer version of kitseal" % path)
        if path.startswith("proofs/")
        else ("artifact_unlisted", "%s is not listed in the manifest" % path)
        for path in added
    ]


def check_manifest(kit, receipt):
    """R15 to R17."""
    if kit.is_unreadable:
        return "the kit cannot be read"
    if kit.manifest is None:
        return [("manifest_malformed", problem) for problem in kit.manifest_problems]
    manifest, findings = kit.manifest, []
    actual = manifest_hash(manifest)
    if actual != manifest["manifest_sha256"]:
        text = "the manifest states SHA-256 %s, but its SHA-256 is %s" % (manifest["manifest_sha256"], actual)
        findings.append(("manifest_hash_mismatch", text))
    if receipt is None:
        return findings or "there is no valid receipt to compare with"
    if actual != receipt["manifest_sha256"]:
        text = "the receipt states manifest SHA-256 %s, but it is %s" % (receipt["manifest_sha256"], actual)
        findings.append(("manifest_hash_mismatch", text))
    root = root_hash(manifest["artifacts"])
    if root != receipt["manifest_root_hash"]:
        text = "the receipt states root hash %s, but it is %s" % (receipt["manifest_root_hash"], root)
        findings.append(("root_hash_mismatch", text))
    for name in ("receipt_version", "kit_id", "job_id", "issued_at"):
        if manifest[name] != receipt[name]:
            text = "%s is %s in the manifest but %s in the receipt" % (name, manifest[name], receipt[name])
            findings.append(("receipt_manifest_mismatch", text))
    return findings


def check_receipt(receipt, problems):
    """R19."""
    if receipt is None:
        return [("receipt_malformed", problem) for problem in problems]
    actual = sha256_hex(canonical(without(receipt, "canonical_receipt_sha256", "signature")))
    if actual == receipt["canonical_receipt_sha256"]:
        return []
    text = "the receipt states SHA-256 %s, but it is %s" % (receipt["canonical_receipt_sha256"], actual)
    return [("receipt_hash_mismatch", text)]


def check_envelope(kit, receipt, kit_keys, key_problems):
    """R30 to R32."""
    if kit.is_unreadable:
        return "the kit cannot be read"
    files = kit.envelope
    findings = [
        ("envelope_missing", "%s is missing or cannot be read" % name) for name in ENVELOPE if files[name] is None
    ]
    if receipt is not None:
        copies = {
            "receipt.canonical.json": signed_bytes(receipt),
            "receipt.sig": from_base64url(receipt["signature"], 64),
        }
        for name, expected in copies.items():
            if files[name] is not None and files[name] != expected:
                findings.append(("envelope_mismatch", "%s does not match receipt.json" % name))
    if files["jwks.json"] is not None:
        problems = ["a key %s" % why for _, why in kit_keys.rejected] if kit_keys else key_problems
        findings += [("envelope_mismatch", "jwks.json: %s" % problem) for problem in problems]
        stated, actual = _stated_key_set_hash(kit.bag_info), sha256_hex(files["jwks.json"])
        if stated is not None and stated != actual:
            text = "jwks.json was changed: its SHA-256 is %s, bag-info.txt states %s" % (actual, stated)
            findings.append(("envelope_mismatch", text))
    if not findings and receipt is None:
        return "there is no valid receipt to compare with"
    return findings


def _stated_key_set_hash(bag_info):
    label = "Key-Set-SHA256: "
    try:
        lines = bag_info.decode("utf-8").split("\n") if bag_info is not None else []
    except UnicodeDecodeError:
        return None
    return next((line[len(label) :] for line in lines if line.startswith(label)), None)


def check_proof(proof, problems, sha256, size):
    """R49."""
    if proof is None:
        return [("proof_malformed", problem) for problem in problems]
    findings = []
    if (sha256, size) != (proof["sha256"], proof["size_bytes"]):
        text = "the file does not match %s: its SHA-256 is %s, the proof is for %s" % (
            proof["path"], sha256, proof["sha256"],
        )  # fmt: skip
        findings.append(("artifact_hash_mismatch", text))
    audit_path = [bytes.fromhex(one) for one in proof["audit_path"]]
    root = root_from_proof(leaf_hash(proof), proof["leaf_index"], proof["tree_size"], audit_path)
    if root != proof["receipt"]["manifest_root_hash"]:
        findings.append(("proof_mismatch", "the proof does not lead to the root hash in the receipt"))
    return findings


def signer_outcomes(receipt, choice, kit_keys):
    """The four checks of the signer."""
    if choice is None:
        why = "there is no valid receipt"
        return dict.fromkeys(list(CHECKS)[-7:-3], why)
    key = choice.key
    return {
        "key_id_matches_public_key": choice.key_findings if key or choice.key_findings else "there is no trusted key",
        "key_was_alive": check_lifetime(receipt, choice),
        "signature_verifies": check_signature(receipt, key, kit_keys),
        "signer_is_trusted": check_trust(choice),
    }


def check_lifetime(receipt, choice):
    """R25 and R51."""
    key = choice.key
    if choice.revoked_at:
        text = "the issuer revoked key %s on %s" % (receipt["public_key_kid"], choice.revoked_at)
        return [("key_revoked", text)]
    if key is None:
        return "no public key is available"
    issued = milliseconds(receipt["issued_at"])
    if key.get("iat", 0) * 1000 <= issued and ("exp" not in key or issued < key["exp"] * 1000):
        if choice.compromised:
            since = choice.compromised["compromised_since"]
            return Passed("the key was compromised at %s, but this receipt is older" % since)
        return []
    period = ["%s %d" % (name, key[name]) for name in ("iat", "exp") if name in key]
    text = "issued at %s, outside the lifetime of its key (%s, in seconds)" % (
        receipt["issued_at"], ", ".join(period),
    )  # fmt: skip
    return [("key_outside_life", text)]


def check_signature(receipt, key, kit_keys):
    """With the trusted key. Without one, the key in the kit can only show that the signature is wrong."""
    own_key = kit_keys.keys.get(receipt["public_key_kid"]) if kit_keys else None
    if key is None and own_key is None:
        return "no public key is available"
    public_key = from_base64url((key or own_key)["x"], 32)
    signature = from_base64url(receipt["signature"], 64)
    if not signature_is_valid(public_key, signed_bytes(receipt), signature):
        return [("signature_invalid", "the signature is not valid")]
    return [] if key else "the signature matches the key in the kit, which is not trusted"


def check_trust(choice):
    if choice.trust_findings:
        return choice.trust_findings
    if choice.key is None:
        return "no key from outside the kit matches"
    if choice.trust == "kit":
        text = "integrity only: the key came with the kit, so it does not prove who signed it"
        return [("signer_not_trusted", text)]
    return []


# ---- The three verifications. Each returns the report that --json prints.


def verify_kit(kit, trust):
    """`kit` is from open_kit()."""
    examined = Examined(kit)
    receipt, problems = load(examined.envelope["receipt.json"], "receipt.json", receipt_problems)
    kit_keys, key_problems = _load_key_set(examined.envelope["jwks.json"])
    log = LogFacts(receipt, examined.has_log_proof, examined.log_proof, trust.policy)
    time = TimeFacts(receipt, log, examined.has_time_stamp, trust)
    choice = choose_key(receipt, kit_keys, trust, time.trusted) if receipt else None
    outcomes = kit_outcomes(examined, receipt)
    outcomes["receipt_is_whole"] = (
        "the kit cannot be read" if examined.is_unreadable else check_receipt(receipt, problems)
    )
    outcomes["envelope_agrees"] = check_envelope(examined, receipt, kit_keys, key_problems)
    outcomes.update(signer_outcomes(receipt, choice, kit_keys))
    is_readable = not examined.is_unreadable and examined.is_kit
    if is_readable:
        outcomes.update(log.outcomes())
        if time.outcome is not None:
            outcomes["time_is_confirmed"] = time.outcome
    result = report(outcomes, receipt, choice, is_readable, _origin(examined))
    provenance = provenance_report(examined, result["verdict"])
    return {**result, "provenance": provenance} if provenance else result


def verify_receipt(receipt, problems, kit, trust):
    """`receipt` and `problems` are from load(). `kit` is the kit that it was issued for, or None."""
    examined = Examined(kit) if kit else None
    kit_keys, _ = _load_key_set(examined.envelope["jwks.json"] if examined else None)
    choice = choose_key(receipt, kit_keys, trust) if receipt else None
    if examined:
        outcomes = kit_outcomes(examined, receipt)
    else:
        outcomes = dict.fromkeys(list(CHECKS)[:3] + ["manifest_matches_receipt"], "the kit is not available")
        name = receipt["kit_id"] if receipt else "the receipt"
        missing = "there are no files for %s: give the kit with --kit" % name
        outcomes["files_match_manifest"] = [("artifact_missing", missing)]
    outcomes["receipt_is_whole"] = check_receipt(receipt, problems)
    outcomes.update(signer_outcomes(receipt, choice, kit_keys))
    return report(outcomes, receipt, choice, True, _origin(examined) if examined else {"supplier": None})


def verify_proof(proof, problems, sha256, size, trust):
    """`proof` and `problems` are from load()."""
    receipt = proof["receipt"] if proof else None
    keys = KeySet(proof["jwks"], canonical(proof["jwks"])) if proof else None
    choice = choose_key(receipt, keys, trust) if receipt else None
    outcomes = {"file_matches_proof": check_proof(proof, problems, sha256, size)}
    outcomes["receipt_is_whole"] = check_receipt(receipt, []) if receipt else "there is no readable receipt"
    outcomes.update(signer_outcomes(receipt, choice, keys))
    if proof:
        log = LogFacts(receipt, False, None, trust.policy)
        outcomes.update(log.outcomes())
        time = TimeFacts(receipt, log, False, trust)
        if time.outcome is not None:
            outcomes["time_is_confirmed"] = time.outcome
    return report(outcomes, receipt, choice, proof is not None, {"supplier": None})


def kit_outcomes(examined, receipt):
    return {
        "kit_reads_in_one_way": check_archive(examined, receipt),
        "files_match_manifest": check_files(examined),
        "nothing_was_added": check_additions(examined),
        "manifest_matches_receipt": check_manifest(examined, receipt),
    }


def _load_key_set(data):
    value, problems = load(data, "jwks.json", key_set_problems)
    return (KeySet(value, data), []) if value is not None else (None, problems)


def _origin(examined):
    """The supplier and the requester that the intake report names; `anonymous` if it came through open intake."""
    report_value, _ = load(examined.intake_report, "the intake report", lambda value: [])
    report_value = report_value if isinstance(report_value, dict) else {}
    requester = _workspace(report_value.get("requested_by"))
    origin = {"supplier": _workspace(report_value.get("supplier"))}
    if report_value.get("caller_authenticated") is False:
        return {"supplier": None, "anonymous": True}
    return {**origin, "requested_by": requester} if requester else origin


def _workspace(value):
    if not isinstance(value, dict) or not all(map(_is_text, (value.get("workspace_id"), value.get("name")))):
        return None
    confirmed_by = "operator" if value.get("confirmed_by") == "operator" else None
    return {"workspace_id": value["workspace_id"], "name": value["name"], "confirmed_by": confirmed_by}


def report(outcomes, receipt, choice, is_readable, origin):
    passed = {name for name, outcome in outcomes.items() if outcome == []}
    verdict = decide(outcomes, choice, is_readable)
    files = ("file_matches_proof",) if "file_matches_proof" in outcomes else None
    kit = None
    if receipt:
        kit = {name: receipt[name] for name in ("kit_id", "job_id", "issuer", "scope", "issued_at")}
        kit.update(origin)
    return {
        "status": "PASS" if verdict == "verified" else "FAIL",
        "verdict": verdict,
        "manifest_hash_valid": passed.issuperset(files or ("manifest_matches_receipt",)),
        "artifact_hashes_valid": passed.issuperset(files or tuple(CHECKS)[:3]),
        "receipt_canonical_hash_valid": "receipt_is_whole" in passed,
        "ed25519_signature_valid": "signature_verifies" in passed,
        "kid_matched": "key_id_matches_public_key" in passed,
        "errors": [line for outcome in outcomes.values() if not isinstance(outcome, str) for line in _lines(outcome)],
        "checks": [_check(name, outcome) for name, outcome in outcomes.items()],
        "signer": _signer(receipt, choice),
        "kit": kit,
        "boundary": BOUNDARY,
    }


def _signer(receipt, choice):
    signer = {"kid": receipt["public_key_kid"] if receipt else None, "trust": choice.trust if choice else "none"}
    if choice and choice.key and choice.trust != "kit":
        signer["key_from"] = {"source": "given"}
    if choice and (choice.revoked_at or choice.compromised):
        signer["revoked_at"] = choice.revoked_at or choice.compromised["revoked_at"]
    return signer


POLICY_CHECKS = {"log_is_witnessed", "time_is_confirmed"}
SENDER_CHECKS = {"key_id_matches_public_key", "key_was_alive", "signer_is_trusted"} | POLICY_CHECKS
ALTERED_CODES = {"time_stamp_malformed", "time_stamp_mismatch", "time_stamp_invalid"}


def decide(outcomes, choice, is_readable):
    """R53."""
    failed = {name for name, outcome in outcomes.items() if outcome and not isinstance(outcome, str)}
    if not is_readable:
        return "unreadable"
    codes = {code for name in failed for code, _ in outcomes[name]}
    if failed - SENDER_CHECKS or codes & ALTERED_CODES or choice is None:
        return "altered"
    if choice.verdict != "key_revoked" and "key_was_alive" in failed:
        return "signer_unknown"
    if choice.verdict != "verified":
        return choice.verdict
    if failed & POLICY_CHECKS:
        return "sender_unconfirmed"
    # Who signed a log proof is known only with a policy.
    is_optional = POLICY_CHECKS | {"receipt_is_logged"}
    is_whole = all(outcome == [] for name, outcome in outcomes.items() if name not in is_optional)
    return "verified" if is_whole else "altered"


def _check(name, outcome):
    check = {"check": name, "guarantee": CHECKS[name], "result": "pass"}
    if isinstance(outcome, Passed):
        check["why"] = outcome.why
        return check
    if isinstance(outcome, str):
        check.update(result="not_run", why=outcome)
    elif outcome:
        more = " (and %d more)" % (len(outcome) - 1) if len(outcome) > 1 else ""
        check.update(result="fail", why=outcome[0][1] + more)
    return check


def _lines(findings):
    """Error lines of one check, at most 8 MiB."""
    left = 8 * MIB
    for index, (code, text) in enumerate(findings):
        line = "%s: %s" % (code, text)
        left -= len(line)
        if left < 0:
            yield "%s: and %d more" % (code, len(findings) - index)
            return
        yield line


# ---- The command line


class InputError(Exception):
    """The input cannot be read, so there is no report."""


MAX_ERRORS_SHOWN = 100

# This program takes keys only from its reader.
KEY_TEXT = {
    "pinned": "the key you gave",
    "jwks": "the key you gave",
    "kit": "the key from the kit itself, so anyone could have made it",
    "none": "a key that is not confirmed",
}


def printable(text):
    """Escapes control and bidirectional characters: text from a kit must not control the terminal."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )


ANONYMOUS = "Anonymous caller. The name is the caller's own text. No files were supplied."


def ascii_host(host):
    """Letters of another script must not imitate a name."""
    labels = unicodedata.normalize("NFKC", host).lower().split(".")
    return ".".join(
        label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii") for label in labels
    )


def host_of(address):
    return ascii_host(re.sub(r"^https?://([^/]*).*$", r"\1", address))


def named_workspace(workspace, issuer, is_verified):
    basis = "named in the kit"
    if is_verified:
        host = host_of(issuer)
        by_operator = workspace["confirmed_by"] == "operator"
        basis = "confirmed by %s's operator" % host if by_operator else "as the workspace calls itself"
    return "%s (%s), %s" % (workspace["name"], workspace["workspace_id"], basis)


def stated_names_apart(entries):
    """The name of a key is its owner's text, in the entry about an upload too."""
    for entry in entries:
        yield without(entry, "key_name")
        if "key_name" in entry:
            named = {name: entry[name] for name in ("paths", "source", "key_name")}
            yield {**named, "statement": "stated"}


def provenance_lines(result):
    """What the issuer verified and what others state never look alike."""
    provenance = result.get("provenance")
    if not provenance:
        return []
    if provenance["problem"]:
        return ["", "provenance  not shown: " + provenance["problem"]]
    host = host_of(result["kit"]["issuer"])
    lines = []
    for entry in stated_names_apart(provenance["entries"]):
        is_verified = entry["statement"] == "verified"
        basis = "stated, not verified"
        if is_verified:
            basis = "verified by " + host if provenance["confirmed"] else "named in the kit, not confirmed"
        some = [] if isinstance(entry["paths"], str) else entry["paths"][:3]
        files = ", ".join(canonical(path).decode("utf-8") for path in some) or entry["paths"]
        more = len(entry["paths"]) - 3 if not isinstance(entry["paths"], str) else 0
        files += " and %d more" % more if more > 0 else ""
        facts = without(entry, "paths", "source", "statement")
        source = entry["source"]
        if source == "ci_token":
            token_issuer = facts.pop("issuer")
            at_host = re.sub(r"^(https?://)([^/]*)", lambda url: url[1] + ascii_host(url[2]), token_issuer)
            source = "token of %s says" % canonical(at_host).decode("utf-8")
        elif source == "confirmed_address":
            name, _, domain = facts["address"].rpartition("@")
            facts["address"] = name + "@" + ascii_host(domain)
        lines += ["", "%s  %s: %s, %s" % ("+" if is_verified else "?", basis, source, files)]
        lines.append("   " + canonical(facts).decode("utf-8"))
    return lines


def report_text(result):
    _, heading, advice = VERDICTS[result["verdict"]]
    if result["verdict"] == "sender_unconfirmed" and result["signer"]["trust"] in ("pinned", "jwks"):
        advice = NOT_LOGGED_ADVICE
    advice = advice.replace("KEY", KEY_TEXT[result["signer"]["trust"]])
    if "revoked_at" in result["signer"]:
        heading = heading.replace("DATE", result["signer"]["revoked_at"][:10])
    lines, kit = [], result["kit"]
    if kit:
        is_verified = result["status"] == "PASS"
        claimed, named = ("", "") if is_verified else ("   (claimed, not proved)", ", named in the kit")
        lines += ["kit       " + kit["kit_id"] + claimed, "job       " + kit["job_id"]]
        lines.append("issuer    " + kit["issuer"] + named)
        if kit.get("anonymous"):
            lines.append("caller    " + ANONYMOUS)
        if kit["supplier"]:
            lines.append("supplier  " + named_workspace(kit["supplier"], kit["issuer"], is_verified))
        if "requested_by" in kit:
            requester = kit["requested_by"]
            if not kit["supplier"]:
                lines.append("supplier  Someone with the link of a request (not verified)")
            lines.append("asked by  " + named_workspace(requester, kit["issuer"], is_verified))
        lines += ["name      " + kit["scope"], "issued    " + kit["issued_at"]]
        lines += ["key       %s, %s" % (result["signer"]["kid"], KEY_TEXT[result["signer"]["trust"]]), ""]
    for check in result["checks"]:
        why = ": " + check["why"] if "why" in check and check["result"] != "fail" else ""
        label = {"pass": "pass", "fail": "FAIL", "not_run": "not run"}[check["result"]]
        lines.append("  %-7s  %s%s" % (label, check["guarantee"], why))
    lines += provenance_lines(result)
    errors = ["  - " + error for error in result["errors"][:MAX_ERRORS_SHOWN]]
    if len(result["errors"]) > MAX_ERRORS_SHOWN:
        errors.append("  and %d more. Use --json to list all." % (len(result["errors"]) - MAX_ERRORS_SHOWN))
    lines += [""] + errors + ([""] if errors else [])
    lines += ["%s  %s" % (result["status"], heading), advice, BOUNDARY]
    return "\n".join(printable(line) for line in lines)


def read_file(path, what, limit):
    try:
        if os.path.isdir(path):
            raise InputError("%s is a folder, not %s" % (path, what))
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise InputError("%s cannot be read: %s" % (path, getattr(error, "strerror", None) or error)) from None
    if len(data) > limit:
        raise InputError("%s is larger than %d MiB, too large for %s" % (path, limit // MIB, what))
    return data


def read_key_set(path):
    if re.match("https?://", path, re.IGNORECASE):
        raise InputError(
            "--jwks takes a file: this program never uses the network. Download the key set first:\n"
            "  curl -fsS -o issuer.jwks.json %s" % shlex.quote(path)
        )
    data = read_file(path, "a key set", 4 * MIB)
    value, problems = load(data, path, key_set_problems)
    if value is None:
        raise InputError("%s is not a key set: %s" % (path, "; ".join(problems)))
    return KeySet(value, data)


def read_policy(path):
    data = read_file(path, "a policy", MIB)
    try:
        return Policy(data)
    except Malformed as error:
        raise InputError("%s is not a policy: %s" % (path, error)) from None


def parse_duration(text):
    """30d, 24h, 90m or 10s, in seconds."""
    match = re.fullmatch("([0-9]{1,9})([smhd])", text)
    return int(match.group(1)) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[match.group(2)] if match else None


def open_kit(path):
    """Opens a zip or a folder, to be used in a `with` statement."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            return FolderKit(path)
        if not stat.S_ISREG(mode):
            raise InputError("%s is not a regular file: save the kit to a file first" % path)
        file = open(path, "rb")
    except (OSError, ValueError) as error:
        raise InputError("%s cannot be read: %s" % (path, getattr(error, "strerror", None) or error)) from None
    try:
        return ZipKit(Source(file), file)
    except BaseException:
        file.close()
        raise


def open_kit_or_explain(path):
    """Like open_kit(), but a folder that is not a kit is reported in one sentence."""
    is_other_folder = os.path.isdir(path) and not any(
        os.path.lexists(os.path.join(path, name)) for name in ("manifest.json", "receipt.json")
    )
    if not is_other_folder:
        return open_kit(path)
    return UnreadableKit(
        "%s contains neither manifest.json nor receipt.json. Give the folder that contains them." % path
    )


def is_json_file(path):
    """Whether a file starts like a JSON object, so that it is a receipt and not an archive."""
    try:
        with open(path, "rb") as file:
            return file.read(PIECE).lstrip()[:1] == b"{"
    except (OSError, ValueError):
        return False


def verify(options, trust):
    if options.proof is not None:
        data = read_file(options.proof, "a proof", 16 * MIB)
        proof, problems = load(data, options.proof, proof_problems)
        if proof is None and load(data, options.proof, key_set_problems)[0] is not None:
            raise InputError("%s is a key set, not a proof. Give it with --jwks." % options.proof)
        if os.path.isdir(options.kit):
            raise InputError("%s is a folder. A proof is for a single file." % options.kit)
        try:
            sha256, size = hash_file(options.kit)
        except (OSError, ValueError) as error:
            text = getattr(error, "strerror", None) or error
            raise InputError("%s cannot be read: %s" % (options.kit, text)) from None
        return verify_proof(proof, problems, sha256, size, trust)
    if is_json_file(options.kit):
        data = read_file(options.kit, "a receipt", MIB)
        if load(data, options.kit, key_set_problems)[0] is not None:
            raise InputError("%s is a key set. Give it with --jwks, after the kit." % options.kit)
        if load(data, options.kit, proof_problems)[0] is not None:
            raise InputError("%s is a proof. Give the file that it is for first: FILE PROOF." % options.kit)
        if options.policy is not None:
            name = "--policy"
            raise InputError("%s is a receipt. %s is for kits, which can contain a log proof." % (options.kit, name))
        receipt, problems = load(data, options.kit, receipt_problems)
        if options.of_kit is None:
            return verify_receipt(receipt, problems, None, trust)
        with open_kit(options.of_kit) as kit:
            return verify_receipt(receipt, problems, kit, trust)
    if options.of_kit is not None:
        raise InputError("%s is not a receipt. --kit is only for checking a receipt." % options.kit)
    with open_kit_or_explain(options.kit) as kit:
        return verify_kit(kit, trust)


def parse_options(arguments):
    parser = argparse.ArgumentParser(
        prog="kitseal-verify.py",
        usage="kitseal-verify.py KIT [--jwks FILE]... [--kid KID]... [--policy FILE]\n"
        "                         [--max-delay TIME] [--use-kit-keys] [--json]\n"
        "       kitseal-verify.py FILE PROOF [the same options]\n"
        "       kitseal-verify.py RECEIPT [--kit KIT] [the same options]",
        description="Verifies a kit (kit.zip or an unpacked folder), a file with its proof, or a receipt. "
        "Never uses the network.",
        epilog="exit codes: 0 verified; 1 altered, revoked, not signed by its issuer, or not a kit; "
        "2 wrong usage or unreadable input; 3 files intact, sender not confirmed",
        allow_abbrev=False,
    )
    parser.add_argument("kit", metavar="KIT", help="kit.zip, an unpacked kit, a file with its proof, or a receipt")
    parser.add_argument("proof", metavar="PROOF", nargs="?", help="the proof, for a single file")
    parser.add_argument("--jwks", metavar="FILE", action="append", default=[], help="trust the keys in this key set")
    parser.add_argument("--kid", metavar="KID", action="append", default=[], help="trust the key with this ID")
    parser.add_argument(
        "--policy", metavar="FILE", help="require a log proof that meets this policy (logs, witnesses and a quorum)"
    )
    parser.add_argument(
        "--max-delay",
        metavar="TIME",
        help="how long before the first trusted time a kit may say that it was issued (default 24h)",
    )
    parser.add_argument("--kit", metavar="KIT", dest="of_kit", help="the kit that the receipt was issued for")
    parser.add_argument(
        "--use-kit-keys",
        action="store_true",
        help="check integrity only, with the key in the kit, which anyone could have made",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    options = parser.parse_args(_join_kids(sys.argv[1:] if arguments is None else arguments))
    if options.use_kit_keys and (options.jwks or options.kid):
        parser.error("--use-kit-keys cannot be combined with --jwks or --kid")
    for name, value in (("--policy", options.policy),):
        if value is not None and (options.proof is not None or options.of_kit is not None):
            parser.error("%s is for kits: a proof or a receipt has no log proof" % name)
    if options.max_delay is not None:
        if options.policy is None:
            parser.error("--max-delay needs --policy")
        if parse_duration(options.max_delay) is None:
            parser.error("%s is not a duration: expected 30d, 24h, 90m or 10s" % printable(options.max_delay))
    if options.proof is not None and options.of_kit is not None:
        parser.error("--kit cannot be combined with a proof")
    for kid in options.kid:
        if from_base64url(kid, 32) is None:
            parser.error("%s is not a key ID: expected 43 characters of base64url" % printable(kid))
    return options


def _join_kids(arguments):
    """A kid may begin with a hyphen, which argparse accepts only as --kid=KID."""
    joined = []
    for argument in arguments:
        if joined and joined[-1] == "--kid":
            joined[-1] += "=" + argument
        else:
            joined.append(argument)
    return joined


def main(arguments=None):
    options = parse_options(arguments)
    try:
        key_sets = [read_key_set(path) for path in options.jwks]
        policy = read_policy(options.policy) if options.policy is not None else None
        trust = Trust(key_sets, options.kid, (), options.use_kit_keys, None, policy)
        if options.max_delay is not None:
            trust.max_delay = parse_duration(options.max_delay)
        result = verify(options, trust)
        if options.json:
            print(json.dumps(result, indent=2).replace("\x7f", "\\u007f"))
        else:
            if hasattr(sys.stdout, "reconfigure"):
                sys.stdout.reconfigure(errors="backslashreplace")
            print(report_text(result))
        sys.stdout.flush()
        return VERDICTS[result["verdict"]][0]
    except KeyboardInterrupt:
        return 130
    except (InputError, OSError) as error:
        text = "\n".join(printable(line) for line in str(error).split("\n"))
        print("kitseal-verify.py: %s" % text, file=sys.stderr)
        return 2


if __name__ == "__main__":
    code = main()
    # The output was flushed above; flushing again at exit would repeat an error.
    os._exit(code)
