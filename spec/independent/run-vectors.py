"""Runs kitseal-verify.py on a folder of vectors and prints {name: result}.

    run-vectors.py FOLDER [--without-package]

--without-package computes Ed25519 in Python even if the package "cryptography" is installed.
"""

import importlib.util
import json
import pathlib
import sys

here = pathlib.Path(__file__).parent
spec = importlib.util.spec_from_file_location("kitseal_verify", str(here / "kitseal-verify.py"))
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)


def run(vector, folder):
    path = folder / vector["file"]
    kind = vector["kind"]
    if kind == "kit":
        with program.open_kit(str(path)) as kit:
            return program.verify_kit(kit, trust(vector["trust"], folder))
    if kind == "receipt":
        receipt, problems = program.load(path.read_bytes(), "the receipt", program.receipt_problems)
        keys = program.Trust([key_set(folder / vector["jwks"], True, vector.get("issuer"))])
        if not vector["kit"]:
            return program.verify_receipt(receipt, problems, None, keys)
        with program.open_kit(str(folder / vector["kit"])) as kit:
            return program.verify_receipt(receipt, problems, kit, keys)
    if kind == "proof":
        proof, problems = program.load(path.read_bytes(), "the proof", program.proof_problems)
        sha256, size = program.hash_file(str(folder / vector["evidence"]))
        return program.verify_proof(proof, problems, sha256, size, trust(vector["trust"], folder))
    return accepted(kind, path.read_bytes())


def accepted(kind, data):
    if kind in ("checkpoint", "log-proof", "policy"):
        return accepted_of_log(kind, data)
    problems_of = {"json": lambda value: [], "jwks": program.key_set_problems, "manifest": program.manifest_problems, "provenance": program.provenance_problems}
    try:
        value = program.parse_json(data)
    except program.Malformed:
        return {"accepted": False}
    if problems_of[kind](value):
        return {"accepted": False}
    if kind == "json":
        return {"accepted": True, "canonical": program.canonical(value).decode("utf-8")}
    if kind == "provenance":
        verified = [entry for entry in value["entries"] if entry["statement"] == "verified"]
        return {"accepted": True, "entries": len(value["entries"]), "verified": len(verified)}
    if kind == "jwks":
        return {"accepted": True, "kids": list(program.KeySet(value).keys)}
    root = program.root_hash(value["artifacts"])
    return {"accepted": True, "manifest_sha256": program.manifest_hash(value), "root_hash": root}


def accepted_of_log(kind, data):
    try:
        if kind == "checkpoint":
            checkpoint = program.Checkpoint(data)
            return {
                "accepted": True,
                "origin": checkpoint.origin,
                "size": checkpoint.size,
                "root": checkpoint.root.hex(),
            }
        if kind == "log-proof":
            proof = program.LogProof(data)
            hashes, size = len(proof.hashes), proof.checkpoint.size
            return {"accepted": True, "index": proof.index, "hashes": hashes, "size": size}
        policy = program.Policy(data)
        return {
            "accepted": True,
            "logs": [key.name for key in policy.logs],
            "witnesses": [name for name, _ in policy.witnesses],
            "quorum": quorum(policy.quorum),
        }
    except program.Malformed:
        return {"accepted": False}


def quorum(value):
    if not isinstance(value, tuple):
        return value
    return {"threshold": value[0], "members": [quorum(member) for member in value[1]]}


def key_set(path, is_confirmed, issuer=None):
    data = path.read_bytes()
    return program.KeySet(program.parse_json(data), data, is_confirmed, issuer)


def trust(note, folder):
    sets = [key_set(folder / name, False) for name in note.get("jwks", [])]
    sets += [key_set(folder / name, True) for name in note.get("confirmed_jwks", [])]
    pins = []
    for pin in note.get("pins", []):
        keys = key_set(folder / pin["jwks"], False).keys if "jwks" in pin else {}
        pins.append((pin["kid"], pin["issuer"], keys.get(pin["kid"])))
    policy = program.Policy((folder / note["policy"]).read_bytes()) if "policy" in note else None
    kids, use_kit_keys = note.get("kids", []), note.get("use_kit_keys", False)
    given = program.Trust(sets, kids, pins, use_kit_keys, note.get("issuer"), policy)
    given.max_delay = note.get("max_delay_seconds", given.max_delay)
    return given


if __name__ == "__main__":
    program.USE_PACKAGE = "--without-package" not in sys.argv
    vectors_folder = pathlib.Path(sys.argv[1])
    vectors = json.loads((vectors_folder / "index.json").read_bytes())
    json.dump({v["name"]: run(v, vectors_folder) for v in vectors if v.get("python") != "not_checked"}, sys.stdout)
