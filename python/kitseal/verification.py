"""Verifies kits on this machine, with the keys that the caller trusts. Uses no network."""

import io
import os
from dataclasses import dataclass
from typing import Any, BinaryIO, Dict, List, Mapping, Optional, Sequence, TypedDict, Union, cast

from . import _verifier as _untyped

_verifier: Any = _untyped
#: A file: its path, or the path of an unpacked kit.
Path = Union[str, "os.PathLike[str]"]


class Signer(TypedDict):
    """The key that signed, and how it is trusted: `pinned`, `jwks`, `kit` or `none`."""

    kid: Optional[str]
    trust: str


class _Report(TypedDict):
    status: str
    verdict: str
    manifest_hash_valid: bool
    artifact_hashes_valid: bool
    receipt_canonical_hash_valid: bool
    ed25519_signature_valid: bool
    kid_matched: bool
    errors: List[str]
    checks: List[Dict[str, str]]
    signer: Signer
    kit: Optional[Dict[str, Any]]


class VerificationReport(_Report, total=False):
    """What verification found. `status` is PASS only if `verdict` is `verified`."""

    provenance: Dict[str, Any]


@dataclass(frozen=True)
class Trust:
    """What you trust. With several members, all of them must agree. The keys inside a kit are never trusted.

    >>> Trust(kids=["-KRiE--JvGPqAgYNusgQ5jY4xPOOrHsvqDJz3T7LkjI"]).issuer is None
    True
    """

    #: Key IDs that you received from the issuer.
    kids: Sequence[str] = ()
    #: Key sets: parsed JSON of which you know the origin, or the bytes of a file. A file that is the copy inside the kit
    #: confirms nothing.
    key_sets: Sequence[Union[Mapping[str, Any], bytes]] = ()
    #: The issuer that the receipt must name.
    issuer: Optional[str] = None
    #: A policy with the logs and witnesses that must have recorded the receipt (the content of the file).
    log_policy: Optional[bytes] = None
    #: How many seconds before the time that witnesses confirm a kit may say that it was issued.
    max_delay: int = _verifier.DEFAULT_MAX_DELAY

    def __post_init__(self) -> None:
        if isinstance(self.kids, (str, bytes)) or isinstance(self.key_sets, (str, bytes, Mapping)):
            raise TypeError("kids and key_sets are lists")
        for kid in self.kids:
            if _verifier.from_base64url(kid, 32) is None:
                raise ValueError("%r is not a key ID: expected 43 characters of base64url" % (kid,))
        _checked(self)


def trust_keys(keys: Union[Mapping[str, Any], bytes, Path], issuer: Optional[str] = None) -> Trust:
    """Trusts the keys of one key set: parsed JSON such as `client.get_keys()`, the content of a file, or its path.

    Parsed JSON counts as confirmed: you say that it is the issuer's.

    >>> trust_keys({"keys": []}).kids
    ()
    """
    if not isinstance(keys, (Mapping, bytes)):
        with open(keys, "rb") as file:
            keys = file.read()
    return Trust(key_sets=(keys,), issuer=issuer)


def verify_kit(kit: Union[Path, bytes, BinaryIO], trust: Trust) -> VerificationReport:
    """Verifies a kit: `kit.zip` or the folder that it was unpacked to, its bytes, or a binary file object.

    A kit that is altered, forged or unreadable is a report with the status FAIL, never an exception. OSError is raised if
    the file itself cannot be read. A file object stays open, at the position where it was.

    >>> report = verify_kit("kit.zip", Trust(kids=["-KRiE--JvGPqAgYNusgQ5jY4xPOOrHsvqDJz3T7LkjI"]))
    >>> report["status"], report["verdict"], report["errors"]
    ('PASS', 'verified', [])
    """
    trusted = _checked(trust)
    if isinstance(kit, (str, os.PathLike)):
        os.stat(kit)
        try:
            with _verifier.open_kit_or_explain(kit) as opened:
                return cast(VerificationReport, _verifier.verify_kit(opened, trusted))
        except _verifier.InputError as error:
            raise OSError(str(error)) from None
    file = io.BytesIO(kit) if isinstance(kit, (bytes, bytearray, memoryview)) else kit
    if not isinstance(file.read(0), bytes):
        raise TypeError("the file is open as text: open it with the mode 'rb'")
    at = file.tell()
    try:
        return cast(VerificationReport, _verifier.verify_kit(_verifier.ZipKit(_verifier.Source(file)), trusted))
    finally:
        file.seek(at)


def _checked(trust: Trust) -> Any:
    """The trust as the verifier takes it. Raises ValueError if a part of it cannot be read."""
    try:
        key_sets = [_key_set(one) for one in trust.key_sets]
        policy = None if trust.log_policy is None else _verifier.Policy(trust.log_policy)
        given = _verifier.Trust(key_sets, list(trust.kids), (), False, trust.issuer, policy)
        given.max_delay = trust.max_delay
    except _verifier.Malformed as error:
        raise ValueError(str(error)) from None
    return given


def _key_set(given: Union[Mapping[str, Any], bytes]) -> Any:
    value = _verifier.parse_json(given) if isinstance(given, bytes) else dict(given)
    problems = _verifier.key_set_problems(value)
    if problems:
        raise _verifier.Malformed("; ".join(problems))
    is_file = isinstance(given, bytes)
    return _verifier.KeySet(value, given if is_file else None, not is_file)


#: Trusts nothing, so that no kit passes.
NO_TRUST = Trust()
