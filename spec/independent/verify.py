#!/usr/bin/env python3
"""An independent verifier of kits, written from ../kit-format.md with Python's standard library alone.

It shares no code with the rest of the project. It reports PASS, or FAIL with the first reason. A test runs it on every
vector.

    verify.py KIT.zip [--jwks FILE]... [--kid KID]... [--use-kit-keys]
    verify.py --vectors FOLDER        prints the results of all vectors as {name: result}

Exit codes: 0 PASS, 1 FAIL, 2 wrong usage or unreadable input, 3 intact with --use-kit-keys, sender not confirmed.
"""

import argparse
import hashlib
import json
import pathlib
import re
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import documents as doc
import ed25519
import strict_zip as zips

LIMITS = {"manifest.json": 2**26, "receipt.json": 2**18, "receipt.canonical.json": 2**18, "receipt.sig": 64, "jwks.json": 2**22}


INTEGRITY_ONLY = "integrity only: the key came with the kit, so the sender is not confirmed"


class Fail(Exception):
    pass


def demand(holds, reason):
    if not holds:
        raise Fail(reason)


def verify(data, trust):
    """Returns None for PASS, or the reason for FAIL."""
    try:
        _verify(data, trust)
    except (Fail, doc.Malformed, zips.Unreadable) as reason:
        return str(reason) or "refused"
    return None


def _verify(data, trust):
    entries, directory = zips.read_directory(data)
    folder = entries[0].name.split("/")[0] if entries else ""
    demand(all(entry.name.startswith(folder + "/") for entry in entries), "an entry outside the folder")  # R46
    files = {entry.name[len(folder) + 1 :]: entry for entry in entries if not entry.folder}
    for entry in entries:
        inside = (other.name for other in entries if not other.folder)
        demand(not entry.folder or any(name.startswith(entry.name) for name in inside), "a folder without files")
    demand(not doc.collide(list(files)), "paths that collide")  # R11

    contents = {}
    for index, entry in enumerate(entries):
        following = entries[index + 1].offset if index + 1 < len(entries) else directory
        contents[entry.name[len(folder) + 1 :]] = zips.content(data, entry, zips.data_range(data, entry, following))

    for name in doc.ENVELOPE:  # R30
        demand(name in files and len(contents[name]) <= LIMITS[name], f"{name} is missing or too large")
    manifest = doc.manifest(doc.parse(contents["manifest.json"]))
    receipt = doc.receipt(doc.parse(contents["receipt.json"]))
    _check_files(files, contents, manifest)
    _check_documents(manifest, receipt, contents, folder)

    own_keys = doc.key_set(doc.parse(contents["jwks.json"]))
    demand(not own_keys[1], "a refused key in jwks.json")  # R32
    bag_info = contents.get("bag-info.txt", b"")
    text = _utf8_or_empty(bag_info) if len(bag_info) <= 2**24 else ""
    stated = re.search(r"^Key-Set-SHA256: (.*)$", text, re.MULTILINE)
    demand(not stated or stated[1] == hashlib.sha256(contents["jwks.json"]).hexdigest(), "jwks.json was changed")

    demand(receipt["public_key_kid"] not in trust["revoked"], "the key was revoked")  # R51
    demand(trust.get("issuer") in (None, receipt["issuer"]), "another issuer")
    key = _choose_key(receipt, own_keys[0], trust, contents["jwks.json"])
    issued = doc.milliseconds(receipt["issued_at"])
    demand(key.get("iat", 0) * 1000 <= issued, "issued before its key was made")  # R25
    demand("exp" not in key or issued < key["exp"] * 1000, "issued after its key was retired")
    message = doc.canonical(doc.without(receipt, "signature")).encode()  # R20
    signature = doc.from_base64url(receipt["signature"], 64)
    demand(ed25519.verify(doc.from_base64url(key["x"], 32), message, signature), "the signature does not verify")
    demand(not trust.get("use_kit_keys"), INTEGRITY_ONLY)  # R27


def _check_files(files, contents, manifest):
    """R28, R29, R45."""
    listed = {artifact["path"]: artifact for artifact in manifest["artifacts"]}
    vouched = _vouched(listed, contents)
    for path, artifact in listed.items():
        demand(path in files, f"{path} is missing")
        demand(hashlib.sha256(contents[path]).hexdigest() == artifact["sha256"], f"{path} was changed")
        demand(len(contents[path]) == artifact["size_bytes"], f"{path} has another size")
    for path, entry in files.items():
        demand(path in listed or path in doc.ENVELOPE, f"{path} is not listed")
        demand(entry.crc == vouched.get(path, zlib.crc32(contents[path])), f"the CRC-32 of {path} is wrong")


def _vouched(listed, contents):
    report = "reports/crc32.json"
    if report not in listed or len(contents.get(report, b"")) > 2**24:
        return {}
    try:
        stated = doc.parse(contents.get(report, b""))
    except doc.Malformed:
        return {}
    stated = stated.get("crc32") if isinstance(stated, dict) else None
    hex8 = re.compile("[0-9a-f]{8}")
    own = {report, *doc.ENVELOPE, *doc.RESERVED}
    return {
        path: int(value, 16)
        for path, value in (stated.items() if isinstance(stated, dict) else ())
        if path not in own and isinstance(value, str) and hex8.fullmatch(value)
    }


def _check_documents(manifest, receipt, contents, folder):
    own = doc.sha256_of(doc.without(manifest, "manifest_sha256"))
    demand(own == manifest["manifest_sha256"] == receipt["manifest_sha256"], "the manifest's hash is another")  # R15
    demand(doc.root_hash(manifest["artifacts"]) == receipt["manifest_root_hash"], "the root hash is another")  # R16
    for name in ("receipt_version", "kit_id", "job_id", "issued_at"):  # R17
        demand(manifest[name] == receipt[name], f"{name} differs")
    hashed = doc.sha256_of(doc.without(receipt, "canonical_receipt_sha256", "signature"))  # R19
    demand(hashed == receipt["canonical_receipt_sha256"], "the receipt's hash is another")
    signed = doc.canonical(doc.without(receipt, "signature")).encode()  # R31
    demand(contents["receipt.canonical.json"] == signed, "receipt.canonical.json is another")
    demand(contents["receipt.sig"] == doc.from_base64url(receipt["signature"], 64), "receipt.sig is another")
    demand(folder == receipt["kit_id"], "the folder has another name")  # R46


def _choose_key(receipt, own_keys, trust, own_bytes):
    """R26."""
    kid = receipt["public_key_kid"]
    if trust.get("use_kit_keys"):
        demand(kid in own_keys, "the key is not in the kit")
        return own_keys[kid]
    demand(not trust["kids"] or kid in trust["kids"], "another key than the pinned one")
    if trust["jwks"]:
        foreign = [keys for keys in trust["jwks"] if trust["kids"] or keys[3] != own_bytes]
        demand(foreign, "the key set is the kit's own copy")  # R52
        trust = {**trust, "jwks": [keys[:2] for keys in foreign]}
        found = [keys[kid] for keys, _ in trust["jwks"] if kid in keys]
        demand(found and all(kid not in refused for _, refused in trust["jwks"]), "the key is not in the key set")
        lives = {"iat": max(key.get("iat", 0) for key in found), "exp": min(key.get("exp", 2**60) for key in found)}
        return found[0] | lives
    if not trust["kids"]:
        pin = next((pin for pin in trust["pins"] if (pin["kid"], pin["issuer"]) == (kid, receipt["issuer"])), None)
        demand(pin, "no trusted key")
        if "key" in pin:
            return pin["key"]
    demand(kid in own_keys, "the key is not in the kit")
    return own_keys[kid]


def _utf8_or_empty(raw):
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""


class Unusable(Exception):
    """The input cannot be read, so there is no result."""


def read(path):
    try:
        return pathlib.Path(path).read_bytes()
    except IsADirectoryError:
        raise Unusable(f"{path} is a folder, not a file") from None
    except (OSError, ValueError) as problem:
        raise Unusable(f"{path} cannot be read: {getattr(problem, 'strerror', None) or problem}") from None


def read_key_set(path, confirmed=False):
    """The keys, the refused kids, the revoked kids, and the file's bytes unless its source is confirmed."""
    data = read(path)
    try:
        value = doc.parse(data)
        return (*doc.key_set(value), doc.revoked_kids(value), None if confirmed else data)
    except doc.Malformed as problem:
        raise Unusable(f"{path} is not a key set: {problem}") from None


def trust_of(note, folder):
    pins = []
    for pin in note.get("pins", []):
        key = read_key_set(folder / pin["jwks"])[0].get(pin["kid"]) if "jwks" in pin else None
        pins.append({**pin, "key": key} if key else pin)
    sets = [read_key_set(folder / name) for name in note.get("jwks", [])]
    sets += [read_key_set(folder / name, confirmed=True) for name in note.get("confirmed_jwks", [])]
    return {**trust_in(sets, note.get("kids", []), note.get("use_kit_keys")), "pins": pins, "issuer": note.get("issuer")}


def trust_in(sets, kids, use_kit_keys):
    revoked = {kid for keys in sets for kid in keys[2]}
    return {"jwks": sets, "kids": kids, "pins": [], "use_kit_keys": use_kit_keys, "revoked": revoked}


def accepted(vector, data):
    try:
        value = doc.parse(data)
        if vector["kind"] == "json":
            return {"accepted": True, "canonical": doc.canonical(value)}
        if vector["kind"] == "jwks":
            doc.revoked_kids(value)
            return {"accepted": True, "kids": list(doc.key_set(value)[0])}
        manifest = doc.manifest(value)
        own = doc.sha256_of(doc.without(manifest, "manifest_sha256"))
        return {"accepted": True, "manifest_sha256": own, "root_hash": doc.root_hash(manifest["artifacts"])}
    except doc.Malformed:
        return {"accepted": False}


def run_vectors(folder):
    results = {}
    for vector in json.loads(read(folder / "index.json")):
        data = read(folder / vector["file"])
        if vector["kind"] == "kit":
            reason = verify(data, trust_of(vector["trust"], folder))
            results[vector["name"]] = {"status": "FAIL" if reason else "PASS", "reason": reason}
        elif vector["kind"] in ("json", "jwks", "manifest"):
            results[vector["name"]] = accepted(vector, data)
    return results


def _plain(text):
    """Escapes control characters: names in a kit must not control the terminal."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def main():
    parser = argparse.ArgumentParser(description="Verifies a kit.")
    parser.add_argument("kit", nargs="?")
    parser.add_argument("--jwks", action="append", default=[])
    parser.add_argument("--kid", action="append", default=[])
    parser.add_argument("--use-kit-keys", action="store_true")
    parser.add_argument("--vectors", type=pathlib.Path)
    options = parser.parse_args()
    try:
        return answer(options, parser)
    except (Unusable, OSError) as problem:
        print(f"verify.py: {problem}", file=sys.stderr)
        return 2


def answer(options, parser):
    if options.vectors:
        print(json.dumps(run_vectors(options.vectors)))
        return 0
    if not options.kit:
        parser.error("missing argument: KIT.zip")
    sets = [read_key_set(name) for name in options.jwks]
    reason = verify(read(options.kit), trust_in(sets, options.kid, options.use_kit_keys))
    print(f"FAIL: {_plain(reason)}" if reason else "PASS", flush=True)
    return 0 if not reason else 3 if reason == INTEGRITY_ONLY else 1


if __name__ == "__main__":
    sys.exit(main())
