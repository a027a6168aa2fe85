import { sha256 } from '../../../kit/src/crypto/sha256.ts'
import type { JsonValue } from '../../../kit/src/encoding/strict-json.ts'
import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { type FileProof, proveFile } from '../../../kit/src/proof.ts'
import { webHost } from '../../../kit/src/web-host.ts'
import type { TrustNote, Result } from '../../vector.ts'
import {
  ARTIFACTS,
  BY_JWKS,
  type Case,
  fails,
  json,
  KEY,
  MANIFEST,
  passes,
  RECEIPT,
  SIGNATURE,
  times,
} from '../case.ts'
import { draftKit, EVIDENCE, LETTER, type Steps } from '../draft.ts'
import { KEY_SETS, keySetFile } from '../key-sets.ts'
import { forger, issuer } from '../keys.ts'
import { policyFile } from '../policies.ts'
import { rootsFile } from '../time/roots.ts'

interface Plan {
  readonly path?: string
  readonly steps?: Steps
  readonly change?: (proof: FileProof) => JsonValue
  readonly shown?: string
  readonly trust?: TrustNote
}

function proof(
  name: string,
  expected: Result,
  { path = LETTER, steps = {}, change, shown, trust = BY_JWKS }: Plan = {},
): Case {
  const { manifest, receipt, files } = draftKit(steps)
  const made = proveFile(
    manifest,
    receipt,
    (steps.jwks ?? KEY_SETS.issuer) as FileProof['jwks'],
    path,
    webHost,
  )
  if (made === undefined) throw new Error(`${path} is not in the kit`)
  const evidence = shown === undefined ? files.get(path)! : utf8(shown)
  return {
    name,
    kind: 'proof',
    trust,
    expected,
    content: json(change?.(made) ?? (made as JsonValue)),
    evidence,
  } as Case
}

const ALL = [...MANIFEST, ...ARTIFACTS]
const ASTRAY = fails(['proof_mismatch'], ALL)
const MALFORMED = fails(['proof_malformed'], [...ALL, ...RECEIPT, ...KEY], 'none', 'unreadable')
const ONE_FILE: Steps = {
  artifacts: (files) => [...files.keys()].forEach((path) => path === LETTER || files.delete(path)),
}
const LONG = 'long path: x'

export const goodProofs: readonly Case[] = [
  proof('a-proof-shows-one-file-of-a-kit', passes()),
  proof('a-proof-of-the-first-file-passes', passes(), { path: 'SHA256SUMS' }),
  proof('a-proof-of-the-last-file-passes', passes(), { path: 'reports/intake.json' }),
  proof('a-proof-of-the-only-file-has-an-empty-path', passes(), { steps: ONE_FILE }),
  proof('a-proof-passes-with-a-pinned-kid', passes('pinned'), { trust: { kids: [issuer.kid] } }),
]

export const forgedProofs: readonly Case[] = [
  proof('a-proof-shown-with-another-file-fails', fails(['artifact_hash_mismatch'], ALL), {
    shown: 'Another letter\n',
  }),
  proof('a-proof-changed-to-fit-another-file-fails', ASTRAY, {
    shown: LONG,
    change: (made) => ({
      ...made,
      sha256: Buffer.from(sha256(utf8(LONG))).toString('hex'),
      size_bytes: LONG.length,
    }),
  }),
  proof('a-proof-under-another-path-fails', ASTRAY, {
    change: (made) => ({ ...made, path: 'data/contract.txt' }),
  }),
  proof('a-proof-at-another-place-fails', ASTRAY, {
    change: (made) => ({ ...made, leaf_index: made.leaf_index + 1 }),
  }),
  proof('a-proof-in-a-tree-of-another-size-fails', ASTRAY, {
    change: (made) => ({ ...made, tree_size: made.tree_size + 9 }),
  }),
  proof('a-proof-with-a-hash-too-many-fails', ASTRAY, {
    change: (made) => ({ ...made, audit_path: [...made.audit_path, '0'.repeat(64)] }),
  }),
  proof('a-proof-with-a-hash-too-few-fails', ASTRAY, {
    change: (made) => ({ ...made, audit_path: made.audit_path.slice(0, -1) }),
  }),
  proof('a-proof-with-hashes-in-another-order-fails', ASTRAY, {
    change: (made) => ({ ...made, audit_path: made.audit_path.toReversed() }),
  }),
  proof('a-proof-with-another-receipt-fails', ASTRAY, {
    change: (made) => ({
      ...made,
      receipt: draftKit({ evidence: { ...EVIDENCE, [LETTER]: 'Another' } }).receipt,
    }),
  }),
  proof(
    'a-proof-with-an-edited-receipt-fails',
    fails(['receipt_hash_mismatch', 'signature_invalid'], [...RECEIPT, ...SIGNATURE]),
    { change: (made) => ({ ...made, receipt: { ...made.receipt, scope: 'Everything' } }) },
  ),
  proof(
    'a-proof-signed-anew-with-its-key-inside-fails',
    fails(['key_not_in_jwks'], KEY, 'none', 'signer_unknown'),
    {
      steps: { kid: forger.kid, sign: forger.sign, jwks: KEY_SETS.forger },
    },
  ),
  proof(
    'a-proof-fails-where-nobody-is-trusted',
    fails(['signer_not_trusted'], KEY, 'none', 'sender_unconfirmed'),
    { trust: {} },
  ),
  proof(
    'a-file-proof-fails-under-a-policy-because-it-has-no-log-proof',
    fails(['log_proof_missing'], [], 'jwks', 'sender_unconfirmed'),
    { trust: { ...BY_JWKS, policy: policyFile('log-alone') } },
  ),
  proof(
    'a-file-proof-fails-with-roots-because-it-has-no-time-stamp',
    fails(['time_stamp_missing'], [], 'jwks', 'sender_unconfirmed'),
    { trust: { ...BY_JWKS, tsa_roots: rootsFile('root') } },
  ),
  proof(
    'a-proof-with-its-own-keys-confirms-nobody',
    fails(['signer_not_trusted'], [], 'kit', 'sender_unconfirmed'),
    { trust: { use_kit_keys: true } },
  ),
  proof(
    'a-key-set-file-identical-to-the-keys-of-the-proof-confirms-nobody',
    fails(['signer_not_trusted'], KEY, 'kit', 'sender_unconfirmed'),
    { trust: { jwks: [keySetFile('kit-copy')] } },
  ),
  proof('a-proof-of-a-kit-with-a-revoked-key-fails', fails(['key_revoked'], KEY, 'none', 'key_revoked'), {
    trust: { jwks: [keySetFile('issuer-listed-as-revoked')] },
  }),
]

export const malformedProofs: readonly Case[] = [
  proof('a-proof-with-an-unknown-member-is-malformed', MALFORMED, {
    change: (made) => ({ ...made, note: 'x' }),
  }),
  proof('a-proof-of-another-version-is-malformed', MALFORMED, {
    change: (made) => ({ ...made, proof_version: 'kitseal-proof-2' }),
  }),
  proof('a-proof-without-a-receipt-is-malformed', MALFORMED, { change: (made) => without(made, 'receipt') }),
  proof('a-proof-with-a-malformed-receipt-is-malformed', MALFORMED, {
    change: (made) => ({ ...made, receipt: { ...made.receipt, note: 'x' } }),
  }),
  proof('a-proof-with-a-hash-that-is-not-hex-is-malformed', MALFORMED, {
    change: (made) => ({ ...made, audit_path: ['x'.repeat(64)] }),
  }),
  proof('a-proof-with-a-negative-index-is-malformed', MALFORMED, {
    change: (made) => ({ ...made, leaf_index: -1 }),
  }),
  proof('a-proof-for-a-forbidden-path-is-malformed', MALFORMED, {
    change: (made) => ({ ...made, path: '../a' }),
  }),
  proof(
    'a-proof-that-is-empty-names-every-missing-member',
    fails(times('proof_malformed', 9), [...ALL, ...RECEIPT, ...KEY], 'none', 'unreadable'),
    { change: () => ({}) },
  ),
]

function without(made: FileProof, member: keyof FileProof): JsonValue {
  return Object.fromEntries(Object.entries(made).filter(([name]) => name !== member))
}
