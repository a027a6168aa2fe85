import { canonicalJson } from '../../../kit/src/encoding/canonical-json.ts'
import { sha256 } from '../../../kit/src/crypto/sha256.ts'
import { hex } from '../../../kit/src/encoding/hex.ts'
import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { checkpointText } from '../../../kit/src/log/checkpoint.ts'
import { leafBytes, receiptLeaf } from '../../../kit/src/log/leaf.ts'
import type { Receipt } from '../../../kit/src/receipt.ts'
import type { Result, TrustNote } from '../../vector.ts'
import { ARTIFACTS, BY_JWKS, type Case, fails, KEY, passes, sealed } from '../case.ts'
import { issuedZip } from '../archive.ts'
import { draftKit, LETTER, type Steps } from '../draft.ts'
import { toBytes } from '../edwards.ts'
import { issuer } from '../keys.ts'
import { forgedLog, log, ORIGIN, otherLog, strangers, witnesses } from '../log-signers.ts'
import { byLog, byLogAnd, COSIGNED_AT, type LogPlan, makeLogProof } from '../log-proof.ts'
import { FUTURE_KEY, IDENTITY_KEY, policyFile, type PolicyName } from '../policies.ts'
import { FORGED } from './forged-kits.ts'

const MISMATCH = fails(['log_proof_mismatch'], [])
const FORGED_NOTE = fails(['log_signature_invalid'], [])
const unconfirmed = (code: 'log_proof_missing' | 'log_unknown' | 'log_quorum_not_met'): Result =>
  fails([code], [], 'jwks', 'sender_unconfirmed')
const MALFORMED = fails(['log_proof_malformed'], [])

const under = (policy: PolicyName): TrustNote => ({ ...BY_JWKS, policy: policyFile(policy) })

/** A kit with a log proof, read with a policy or without one. */
function logged(name: string, plan: LogPlan, expected: Result, policy?: PolicyName, steps: Steps = {}): Case {
  const trust = policy === undefined ? BY_JWKS : under(policy)
  return sealed(name, { ...steps, logProof: makeLogProof(plan) }, expected, trust)
}

const leafWith = (change: object) => (receipt: Receipt) =>
  leafBytes({ ...receiptLeaf(receipt, sha256), ...change })

const [w1, w2] = witnesses
const OTHER_TEXT = checkpointText({ origin: ORIGIN, size: 12, root: new Uint8Array(32) })

export const loggedKits: readonly Case[] = [
  logged('a-kit-with-a-log-proof-passes', {}, passes()),
  logged(
    'without-a-policy-nobody-asks-who-signed-the-log-proof',
    { signatures: (text) => [forgedLog.sign(text)] },
    passes(),
  ),
  logged('a-log-proof-of-the-first-leaf-passes', { index: 0 }, passes()),
  logged('a-log-proof-of-the-last-leaf-passes', { index: 10 }, passes()),
  logged('a-log-proof-of-the-only-leaf-has-no-hashes', { index: 0, size: 1 }, passes()),
  logged('a-log-proof-with-extra-data-passes', { extra: 'ZXh0cmE=' }, passes()),
  logged('two-of-three-cosignatures-meet-a-quorum-of-two', {}, passes(), 'two-of-three'),
  logged(
    'three-cosignatures-meet-a-quorum-of-all',
    { signatures: byLogAnd(0, 1, 2) },
    passes(),
    'all-of-three',
  ),
  logged(
    'the-cosignature-of-one-witness-meets-its-quorum',
    { signatures: byLogAnd(2) },
    passes(),
    'one-witness',
  ),
  logged('cosignatures-meet-a-quorum-of-two-levels', { signatures: byLogAnd(1, 2) }, passes(), 'two-levels'),
  logged(
    'a-policy-without-a-quorum-asks-for-the-log-alone',
    { signatures: byLogAnd() },
    passes(),
    'log-alone',
  ),
  logged('a-policy-may-name-several-logs', { signatures: byLogAnd() }, passes(), 'two-logs'),
  logged(
    'signatures-of-unknown-keys-are-ignored',
    {
      signatures: (text) => [
        { name: w1.key.name, keyId: '01020304', signature: new Uint8Array(2428) },
        ...strangers.map((stranger) => stranger.cosign(OTHER_TEXT, COSIGNED_AT)),
        forgedLog.sign(text),
        ...byLogAnd(0, 1)(text),
      ],
    },
    passes(),
    'two-of-three',
  ),
  logged(
    'a-checkpoint-with-extension-lines-is-signed-with-them',
    { extensions: 'extension\n— more\n' },
    passes(),
    'two-of-three',
  ),
]

export const wronglyLogged: readonly Case[] = [
  logged(
    'a-log-proof-of-another-receipt-fails',
    { leaf: leafWith({ receipt_sha256: '0'.repeat(64) }) },
    MISMATCH,
  ),
  logged('a-log-proof-of-another-job-fails', { leaf: leafWith({ job_tag: '0'.repeat(64) }) }, MISMATCH),
  logged('a-log-proof-of-another-key-fails', { leaf: leafWith({ kid: 'A'.repeat(43) }) }, MISMATCH),
  logged(
    'a-log-proof-of-a-leaf-with-another-version-fails',
    { leaf: leafWith({ leaf_version: 'kitseal-leaf-2' }) },
    MISMATCH,
  ),
  logged(
    'a-log-proof-of-the-receipt-without-its-signature-fails',
    {
      leaf: (receipt) => {
        const { signature: _, ...unsigned } = receipt
        return leafWith({ receipt_sha256: hex(sha256(utf8(canonicalJson(unsigned)))) })(receipt)
      },
    },
    MISMATCH,
  ),
  logged(
    'a-log-proof-of-the-receipt-itself-fails',
    { leaf: (receipt) => utf8(canonicalJson(receipt)) },
    MISMATCH,
  ),
  logged('a-log-proof-at-another-index-fails', { stated: { index: 4 } }, MISMATCH),
  logged('a-log-proof-in-a-log-of-another-size-fails', { stated: { size: 40 } }, MISMATCH),
  logged('a-log-proof-with-a-hash-too-many-fails', { hashes: (hashes) => [...hashes, hashes[0]!] }, MISMATCH),
  logged('a-log-proof-with-a-hash-too-few-fails', { hashes: (hashes) => hashes.slice(0, -1) }, MISMATCH),
  logged(
    'a-log-proof-with-hashes-in-another-order-fails',
    { hashes: (hashes) => hashes.toReversed() },
    MISMATCH,
  ),
  logged('a-log-proof-to-another-root-hash-fails', { root: () => new Uint8Array(32) }, MISMATCH),
  logged(
    'a-witnessed-log-proof-of-another-receipt-fails',
    { leaf: leafWith({ receipt_sha256: '0'.repeat(64) }) },
    MISMATCH,
    'two-of-three',
  ),
  logged(
    'a-log-signature-over-another-checkpoint-fails',
    {
      signatures: (text) => [
        log.sign(OTHER_TEXT),
        w1.cosign(text, COSIGNED_AT),
        w2.cosign(text, COSIGNED_AT),
      ],
    },
    FORGED_NOTE,
    'two-of-three',
  ),
  logged(
    'a-cosignature-over-another-checkpoint-fails',
    { signatures: (text) => [...byLogAnd(0, 1)(text), witnesses[2].cosign(OTHER_TEXT, COSIGNED_AT)] },
    FORGED_NOTE,
    'two-of-three',
  ),
  logged(
    'a-wrong-cosignature-fails-even-if-no-quorum-is-asked-for',
    { signatures: (text) => [byLog(text), w1.cosign(OTHER_TEXT, COSIGNED_AT)] },
    FORGED_NOTE,
    'no-quorum',
  ),
  logged(
    'a-cosignature-with-another-time-fails',
    {
      signatures: (text) => {
        const { signature, ...by } = w1.cosign(text, COSIGNED_AT)
        const later = w1.cosign(text, COSIGNED_AT + 1).signature
        return [
          ...byLogAnd(1)(text),
          { ...by, signature: Uint8Array.of(...later.subarray(0, 8), ...signature.subarray(8)) },
        ]
      },
    },
    FORGED_NOTE,
    'two-of-three',
  ),
  logged(
    'a-cosignature-of-the-time-0-fails',
    { signatures: (text) => [...byLogAnd(1)(text), w1.cosign(text, 0)] },
    FORGED_NOTE,
    'two-of-three',
  ),
  logged(
    'a-cosignature-of-a-time-beyond-safe-integers-fails',
    { signatures: (text) => [...byLogAnd(1)(text), w1.cosign(text, 2 ** 53)] },
    FORGED_NOTE,
    'two-of-three',
  ),
  logged(
    'a-plain-signature-of-a-witness-is-no-cosignature',
    { signatures: (text) => [...byLogAnd(1)(text), w1.sign(text)] },
    FORGED_NOTE,
    'two-of-three',
  ),
  logged(
    'the-universal-forgery-under-the-identity-key-of-a-log-fails',
    {
      signatures: () => [
        {
          name: ORIGIN,
          keyId: IDENTITY_KEY.keyId,
          signature: Uint8Array.of(...toBytes(1n), ...new Uint8Array(32)),
        },
      ],
    },
    FORGED_NOTE,
    'identity-log',
  ),
  logged('a-log-that-the-policy-does-not-name-is-unknown', {}, unconfirmed('log_unknown'), 'another-log'),
  logged('a-policy-without-logs-knows-no-log', {}, unconfirmed('log_unknown'), 'no-log'),
  logged(
    'another-key-under-the-name-of-the-log-is-unknown',
    {
      signatures: (text) => [
        forgedLog.sign(text),
        w1.cosign(text, COSIGNED_AT),
        w2.cosign(text, COSIGNED_AT),
      ],
    },
    unconfirmed('log_unknown'),
    'two-of-three',
  ),
  logged(
    'cosignatures-without-a-signature-of-the-log-prove-nothing',
    { signatures: (text) => byLogAnd(0, 1)(text).slice(1) },
    unconfirmed('log_unknown'),
    'two-of-three',
  ),
  logged(
    'a-log-signs-only-for-its-own-origin',
    { origin: otherLog.key.name, signatures: byLogAnd(0, 1) },
    unconfirmed('log_unknown'),
    'two-of-three',
  ),
  logged(
    'fewer-cosignatures-than-the-quorum-are-not-enough',
    { signatures: byLogAnd(0) },
    unconfirmed('log_quorum_not_met'),
    'two-of-three',
  ),
  logged(
    'two-of-three-cosignatures-do-not-meet-a-quorum-of-all',
    {},
    unconfirmed('log_quorum_not_met'),
    'all-of-three',
  ),
  logged(
    'cosignatures-of-other-witnesses-do-not-meet-the-quorum-of-one',
    {},
    unconfirmed('log_quorum_not_met'),
    'one-witness',
  ),
  logged(
    'cosignatures-of-one-group-do-not-meet-a-quorum-of-two-levels',
    {},
    unconfirmed('log_quorum_not_met'),
    'two-levels',
  ),
  logged(
    'a-witness-key-of-an-unsupported-type-never-counts',
    {
      signatures: (text) => [
        byLog(text),
        { name: FUTURE_KEY.name, keyId: FUTURE_KEY.keyId, signature: new Uint8Array(2428) },
      ],
    },
    unconfirmed('log_quorum_not_met'),
    'future-witness',
  ),
  sealed(
    'a-kit-without-a-log-proof-fails-under-a-policy',
    {},
    unconfirmed('log_proof_missing'),
    under('log-alone'),
  ),
  logged(
    'a-logged-kit-of-an-unknown-signer-is-not-the-issuers',
    {},
    fails(['key_not_in_jwks'], KEY, 'none', 'signer_unknown'),
    'two-of-three',
    FORGED,
  ),
  logged(
    'an-unwitnessed-kit-of-an-unknown-signer-is-not-the-issuers',
    { signatures: byLogAnd() },
    fails(['key_not_in_jwks', 'log_quorum_not_met'], KEY, 'none', 'signer_unknown'),
    'two-of-three',
    FORGED,
  ),
  logged(
    'an-unwitnessed-kit-that-was-changed-is-altered',
    { signatures: byLogAnd() },
    fails(['artifact_missing', 'log_quorum_not_met'], ARTIFACTS),
    'two-of-three',
    { packed: (files) => files.delete(LETTER) },
  ),
  sealed(
    'a-policy-counts-beside-a-pinned-key',
    { logProof: makeLogProof({ signatures: byLogAnd(0) }) },
    fails(['log_quorum_not_met'], [], 'pinned', 'sender_unconfirmed'),
    { kids: [issuer.kid], policy: policyFile('two-of-three') },
  ),
]

const withProof = (name: string, proof: Uint8Array, policy?: PolicyName): Case => ({
  name,
  kind: 'kit',
  trust: policy === undefined ? BY_JWKS : under(policy),
  expected: MALFORMED,
  content: issuedZip(draftKit({ logProof: () => proof }).files),
})

export const malformedLogProofs: readonly Case[] = [
  withProof('an-empty-log-proof-fails', new Uint8Array(0)),
  withProof('a-log-proof-that-is-json-fails', utf8('{}')),
  withProof('a-malformed-log-proof-fails-under-a-policy', utf8('c2sp.org/tlog-proof@v1\n'), 'two-of-three'),
  logged('a-log-proof-larger-than-256-kib-fails', { extra: 'A'.repeat(2 ** 18) }, MALFORMED),
]
