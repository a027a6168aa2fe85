import { createHash } from 'node:crypto'
import { sha256 } from '../../../kit/src/crypto/sha256.ts'
import { canonicalJson } from '../../../kit/src/encoding/canonical-json.ts'
import { hex } from '../../../kit/src/encoding/hex.ts'
import type { Artifact } from '../../../kit/src/manifest.ts'
import { ARTIFACTS, BY_JWKS, type Case, fails, KEY, kit, MANIFEST, passes, RECEIPT, sealed } from '../case.ts'
import { issuedZip } from '../archive.ts'
import { draftKit, EVIDENCE, ISSUER, LETTER, type Steps } from '../draft.ts'
import { KEY_SETS, keySetFile, type KeySetFileName } from '../key-sets.ts'
import { forger, issuer, nextIssuer } from '../keys.ts'

export const honest = issuedZip(draftKit().files)
export const trusting = (...sets: readonly KeySetFileName[]): { readonly jwks: readonly string[] } => ({
  jwks: sets.map(keySetFile),
})
export const NO_KEY = fails(['key_not_in_jwks'], KEY, 'none', 'signer_unknown')
export const KEY_NOT_IN_KIT = fails(['key_not_in_jwks'], KEY, 'none', 'sender_unconfirmed')
const WRONG_KEY = fails(['key_id_mismatch'], KEY, 'none', 'signer_unknown')
export const NOT_PINNED = fails(['signer_not_trusted'], KEY, 'none', 'signer_unknown')
export const NOT_TRUSTED = fails(['signer_not_trusted'], KEY, 'none', 'sender_unconfirmed')
const DEAD_KEY = fails(['key_outside_life'], [], 'jwks', 'signer_unknown')

export const SIGNED_BY_FORGER: Steps = { kid: forger.kid, sign: forger.sign }
/** A complete kit sealed by a forger, with the forger's key in the kit. */
export const FORGED: Steps = { ...SIGNED_BY_FORGER, jwks: KEY_SETS.forger }
/** The same with the issuer's kid. */
const UNDER_FALSE_KID: Steps = { sign: forger.sign, jwks: KEY_SETS['issuer-kid-on-forged-key'] }

export const forgedKits: readonly Case[] = [
  sealed('a-kit-signed-anew-with-its-key-inside-fails-against-the-issuers-key-set', FORGED, NO_KEY),
  sealed('a-kit-signed-anew-with-its-key-inside-fails-against-a-pinned-kid', FORGED, WRONG_KEY, {
    kids: [issuer.kid],
  }),
  sealed('a-kit-signed-anew-with-its-key-inside-fails-against-a-pinned-issuer', FORGED, NOT_PINNED, {
    pins: [{ kid: issuer.kid, issuer: ISSUER }],
  }),
  sealed('a-kit-signed-anew-with-its-key-inside-fails-where-nobody-is-trusted', FORGED, NOT_TRUSTED, {}),
  sealed(
    'a-forged-key-under-the-issuers-kid-fails-against-the-issuers-key-set',
    UNDER_FALSE_KID,
    fails(['envelope_mismatch', 'signature_invalid'], ['ed25519_signature_valid']),
  ),
  sealed(
    'a-forged-key-under-the-issuers-kid-fails-against-a-pinned-kid',
    UNDER_FALSE_KID,
    fails(['envelope_mismatch', 'key_not_in_jwks'], KEY, 'none'),
    { kids: [issuer.kid] },
  ),
  sealed(
    'a-forged-key-under-the-issuers-kid-fails-with-the-keys-of-the-kit',
    UNDER_FALSE_KID,
    fails(['envelope_mismatch', 'key_id_mismatch'], KEY, 'none'),
    { use_kit_keys: true },
  ),
  sealed(
    'a-forged-key-under-the-issuers-kid-in-the-readers-own-set-fails',
    { sign: forger.sign },
    fails(['key_id_mismatch', 'signature_invalid'], KEY, 'none'),
    trusting('issuer-kid-on-forged-key'),
  ),
  kit('an-intact-kit-fails-where-nobody-is-trusted', honest, NOT_TRUSTED, {}),
  sealed(
    'a-key-pinned-for-one-issuer-does-not-speak-for-another',
    { issuer: 'https://other.example' },
    NOT_PINNED,
    { pins: [{ kid: issuer.kid, issuer: ISSUER, jwks: keySetFile('issuer') }] },
  ),
  kit('a-pinned-kid-that-is-not-the-receipts-fails', honest, WRONG_KEY, { kids: [nextIssuer.kid] }),
  kit('a-pinned-kid-is-not-waived-by-a-key-set-that-holds-the-receipts', honest, WRONG_KEY, {
    kids: [nextIssuer.kid],
    ...BY_JWKS,
  }),
  kit('a-key-set-is-not-waived-by-a-pinned-kid', honest, NO_KEY, {
    kids: [issuer.kid],
    ...trusting('issuer-revoked'),
  }),
  kit('a-revoked-key-fails-everything-it-signed', honest, NO_KEY, trusting('issuer-revoked')),
  kit('an-empty-key-set-trusts-nobody', honest, NO_KEY, trusting('empty')),
  kit('a-key-set-is-not-replaced-by-the-keys-of-the-kit', honest, NO_KEY, trusting('forger')),
  kit(
    'a-retired-key-does-not-verify-what-is-issued-later',
    honest,
    DEAD_KEY,
    trusting('issuer-retired-before'),
  ),
  kit('a-key-is-dead-in-the-second-it-retires', honest, DEAD_KEY, trusting('issuer-retired-then')),
  kit(
    'a-key-does-not-verify-what-was-issued-before-it-was-made',
    honest,
    DEAD_KEY,
    trusting('issuer-born-later'),
  ),
  kit(
    'of-two-key-sets-the-shorter-life-counts',
    honest,
    DEAD_KEY,
    trusting('issuer', 'issuer-retired-before'),
  ),
  sealed(
    'a-retired-pinned-key-does-not-verify-what-is-issued-later',
    { issuedAt: '2026-07-01T00:00:00.000Z' },
    fails(['key_outside_life'], [], 'pinned', 'signer_unknown'),
    { pins: [{ kid: issuer.kid, issuer: ISSUER, jwks: keySetFile('issuer-retired-later') }] },
  ),
  kit('a-key-listed-twice-is-no-key', honest, WRONG_KEY, trusting('issuer-twice')),
  kit('a-key-with-a-private-member-is-no-key', honest, WRONG_KEY, trusting('issuer-with-private-member')),
  kit('a-key-for-encryption-is-no-key', honest, WRONG_KEY, trusting('issuer-for-encryption')),
  sealed(
    'a-private-member-in-the-key-set-of-the-kit-fails',
    { jwks: KEY_SETS['issuer-with-private-member'] },
    fails(['envelope_mismatch'], []),
  ),
  sealed(
    'a-kit-that-does-not-carry-its-key-fails-against-a-pinned-kid',
    { jwks: KEY_SETS['issuer-revoked'] },
    KEY_NOT_IN_KIT,
    { kids: [issuer.kid] },
  ),
  sealed(
    'a-kit-that-does-not-carry-its-key-fails-with-the-keys-of-the-kit',
    { jwks: KEY_SETS['issuer-revoked'] },
    KEY_NOT_IN_KIT,
    { use_kit_keys: true },
  ),
]

/** Unusual kits that pass because of what the reader chose to trust. */
export const oddButValid: readonly Case[] = [
  sealed('a-kit-need-not-carry-the-key-that-its-reader-has', { jwks: KEY_SETS['issuer-revoked'] }, passes()),
  sealed(
    'the-next-key-of-an-issuer-verifies-beside-the-last',
    { kid: nextIssuer.kid, sign: nextIssuer.sign },
    passes(),
    trusting('issuer-among-others'),
  ),
]

const shared = (member: 'kit_id' | 'job_id' | 'issued_at', value: string): Case =>
  sealed(
    `a-manifest-with-another-${member.replace('_', '-')}-than-the-receipt-fails`,
    { manifest: (manifest) => ({ ...manifest, [member]: value }) },
    fails(['receipt_manifest_mismatch'], MANIFEST),
  )

const withRoot = (
  name: string,
  root: (list: readonly Artifact[]) => Uint8Array,
  evidence: Readonly<Record<string, string>> = EVIDENCE,
): Case => sealed(name, { ...rootSteps(root), evidence }, fails(['root_hash_mismatch'], MANIFEST))

/** Seven artifacts including the bag files: the Merkle tree has an unpaired last leaf. */
const SEVEN = { 'data/a': 'a', 'data/b': 'b', 'data/c': 'c' }

/** Signed by the issuer's key, with one error. */
export const wronglySealed: readonly Case[] = [
  withRoot('a-wrong-root-hash-under-a-good-signature-fails', () => new Uint8Array(32)),
  withRoot('a-root-hash-without-the-leaf-prefix-fails', (list) =>
    rootWith(list, Buffer.alloc(0), Buffer.of(1), false),
  ),
  withRoot('a-root-hash-without-the-node-prefix-fails', (list) =>
    rootWith(list, Buffer.of(0), Buffer.alloc(0), false),
  ),
  withRoot(
    'a-root-hash-that-doubles-the-last-leaf-fails',
    (list) => rootWith(list, Buffer.of(0), Buffer.of(1), true),
    SEVEN,
  ),
  withRoot('a-root-hash-over-another-order-fails', (list) =>
    rootWith(list.toReversed(), Buffer.of(0), Buffer.of(1), false),
  ),
  sealed(
    'a-wrong-manifest-hash-under-a-good-signature-fails',
    { receipt: (receipt) => ({ ...receipt, manifest_sha256: '0'.repeat(64) }) },
    fails(['manifest_hash_mismatch'], MANIFEST),
  ),
  sealed(
    'a-manifest-that-misstates-its-own-hash-fails',
    { hashedManifest: (manifest) => ({ ...manifest, manifest_sha256: '0'.repeat(64) }) },
    fails(['manifest_hash_mismatch'], MANIFEST),
  ),
  sealed(
    'a-wrong-receipt-hash-under-a-good-signature-fails',
    { hashedReceipt: (receipt) => ({ ...receipt, canonical_receipt_sha256: '0'.repeat(64) }) },
    fails(['receipt_hash_mismatch'], RECEIPT),
  ),
  shared('kit_id', 'kit_other'),
  shared('job_id', 'job_other'),
  shared('issued_at', '2026-05-05T12:00:00.001Z'),
  sealed(
    'a-listed-size-that-is-not-the-files-fails',
    {
      listed: (list) =>
        list.map((a) => (a.path === LETTER ? Object.assign(a, { size_bytes: a.size_bytes + 1 }) : a)),
    },
    fails(['artifact_size_mismatch'], ARTIFACTS),
  ),
  sealed(
    'a-listed-hash-that-is-not-the-files-fails',
    {
      listed: (list) =>
        list.map((a) => (a.path === LETTER ? Object.assign(a, { sha256: '0'.repeat(64) }) : a)),
    },
    fails(['artifact_hash_mismatch'], ARTIFACTS),
  ),
  kit(
    'a-folder-that-is-not-named-by-the-kit-id-fails',
    issuedZip(draftKit().files, 'kit_other'),
    fails(['kit_unreadable'], ARTIFACTS),
  ),
]

function rootSteps(root: (list: readonly Artifact[]) => Uint8Array): Steps {
  let list: readonly Artifact[] = []
  return {
    listed: (listed) => {
      list = listed
      return listed
    },
    receipt: (receipt) => ({ ...receipt, manifest_root_hash: hex(root(list)) }),
  }
}

/** A Merkle root built by other rules: other prefixes, or a duplicated last node. */
function rootWith(
  list: readonly Artifact[],
  leafPrefix: Uint8Array,
  nodePrefix: Uint8Array,
  doubled: boolean,
): Uint8Array {
  let level = list.map(
    (artifact) => sha256(Buffer.concat([leafPrefix, Buffer.from(canonicalJson(artifact))])) as Uint8Array,
  )
  while (level.length > 1) {
    const next: Uint8Array[] = []
    for (let at = 0; at < level.length; at += 2) {
      const right = level[at + 1] ?? (doubled ? level[at]! : undefined)
      next.push(
        right === undefined
          ? level[at]!
          : createHash('sha256').update(nodePrefix).update(level[at]!).update(right).digest(),
      )
    }
    level = next
  }
  return level[0]!
}
