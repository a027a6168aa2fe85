import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { TIME_STAMP_PATH } from '../../../kit/src/envelope.ts'
import { parseTlogProof } from '../../../kit/src/log/tlog-proof.ts'
import type { Receipt } from '../../../kit/src/receipt.ts'
import type { Result, TrustNote } from '../../vector.ts'
import { ARTIFACTS, BY_JWKS, type Case, fails, KEY, passes, sealed } from '../case.ts'
import { LETTER, type Steps } from '../draft.ts'
import { type KeySetName, keySetFile } from '../key-sets.ts'
import { issuer } from '../keys.ts'
import { byLogAnd, makeLogProof } from '../log-proof.ts'
import { policyFile, type PolicyName } from '../policies.ts'
import { otherRoot, tsa } from '../time/certificates.ts'
import { sequence } from '../time/der-parts.ts'
import { rootsFile } from '../time/roots.ts'
import { makeTimeStamp, type TimeStampPlan } from '../time/time-stamp.ts'
import { trusting } from './forged-kits.ts'

type TimeCode =
  | 'time_stamp_malformed'
  | 'time_stamp_mismatch'
  | 'time_stamp_invalid'
  | 'time_stamp_missing'
  | 'time_stamp_untrusted'
  | 'time_out_of_bounds'
const altered = (code: TimeCode): Result => fails([code], [])
const unconfirmed = (...codes: Result['codes']): Result => fails(codes, [], 'jwks', 'sender_unconfirmed')

const ROOTS: TrustNote = { tsa_roots: rootsFile('root') }
const byPolicy = (policy: PolicyName = 'two-of-three'): TrustNote => ({ policy: policyFile(policy) })
const BOTH: TrustNote = { ...ROOTS, ...byPolicy() }

/** A log proof, and the time-stamp of its checkpoint. */
function stamped(plan: TimeStampPlan = {}, signatures = byLogAnd(0, 1)): Steps {
  const logProof = makeLogProof({ signatures })
  const timeStamp = (receipt: Receipt): Uint8Array =>
    makeTimeStamp(utf8(parseTlogProof(logProof(receipt)).checkpoint.text), plan)
  return { logProof, timeStamp }
}

const kitWith = (name: string, steps: Steps, expected: Result, trust: TrustNote = {}): Case =>
  sealed(name, steps, expected, { ...BY_JWKS, ...trust })

/** The trusted time of `stamped()` is 12:01:31: a time-stamp of 12:01:30 with an accuracy of one second. */
const issued = (issuedAt: string, steps: Steps = stamped()): Steps => ({ ...steps, issuedAt })
const LOGGED: Steps = { logProof: makeLogProof() }

export const timeStampedKits: readonly Case[] = [
  kitWith('a-kit-with-a-time-stamp-passes', stamped(), passes()),
  kitWith('a-kit-with-a-time-stamp-passes-with-the-root-of-its-authority', stamped(), passes(), ROOTS),
  kitWith('a-kit-with-a-time-stamp-passes-with-a-policy-and-a-root', stamped(), passes(), BOTH),
  kitWith('a-kit-with-a-time-stamp-passes-with-a-policy-alone', stamped(), passes(), byPolicy()),
  kitWith('a-kit-with-a-time-stamp-passes-without-witnesses', stamped({}, byLogAnd()), passes(), {
    ...ROOTS,
    ...byPolicy('log-alone'),
  }),
  kitWith(
    'without-roots-nobody-asks-who-made-the-time-stamp',
    stamped({ by: otherRoot, certificates: [otherRoot.certificate] }),
    passes(),
    byPolicy(),
  ),
  kitWith('without-roots-a-time-stamp-needs-no-certificate', stamped({ certificates: [] }), passes()),
  kitWith(
    'a-kit-issued-24-hours-before-the-trusted-time-passes',
    issued('2026-05-04T12:01:31.000Z'),
    passes(),
    BOTH,
  ),
  kitWith(
    'a-kit-issued-five-minutes-after-the-trusted-time-passes',
    issued('2026-05-05T12:06:31.000Z'),
    passes(),
    BOTH,
  ),
  kitWith(
    'a-kit-issued-24-hours-before-the-witnesses-passes',
    issued('2026-05-04T12:01:01.000Z', LOGGED),
    passes(),
    byPolicy(),
  ),
  kitWith('a-reader-may-allow-a-longer-delay', issued('2026-04-05T12:00:00.000Z'), passes(), {
    ...BOTH,
    max_delay_seconds: 2_592_090 + 1,
  }),
  kitWith('without-a-trusted-time-any-time-passes', issued('2020-01-01T00:00:00.000Z', LOGGED), passes(), {
    confirmed_jwks: [keySetFile('issuer-without-life')],
    jwks: [],
    ...byPolicy('log-alone'),
  }),
]

export const wronglyTimeStamped: readonly Case[] = [
  kitWith(
    'a-time-stamp-without-a-log-proof-fails',
    { timeStamp: () => makeTimeStamp(utf8('')) },
    altered('time_stamp_mismatch'),
  ),
  kitWith(
    'a-time-stamp-of-another-checkpoint-fails',
    { ...stamped(), timeStamp: () => makeTimeStamp(utf8('issuer.example/log\n12\n')) },
    altered('time_stamp_mismatch'),
  ),
  kitWith(
    'a-time-stamp-of-the-whole-note-fails',
    { ...stamped(), timeStamp: (receipt) => makeTimeStamp(makeLogProof()(receipt)) },
    altered('time_stamp_mismatch'),
    ROOTS,
  ),
  kitWith(
    'a-time-stamp-with-an-invalid-signature-fails',
    stamped({ by: { ...tsa, signer: otherRoot.signer } }),
    altered('time_stamp_invalid'),
  ),
  kitWith(
    'a-time-stamp-with-an-invalid-signature-fails-with-roots',
    stamped({ by: { ...tsa, signer: otherRoot.signer } }),
    altered('time_stamp_invalid'),
    BOTH,
  ),
  kitWith('a-kit-without-a-time-stamp-fails-with-roots', LOGGED, unconfirmed('time_stamp_missing'), ROOTS),
  kitWith('a-kit-without-proofs-fails-with-roots', {}, unconfirmed('time_stamp_missing'), ROOTS),
  kitWith(
    'a-kit-without-proofs-fails-with-a-policy-and-roots',
    {},
    unconfirmed('log_proof_missing', 'time_stamp_missing'),
    BOTH,
  ),
  kitWith(
    'a-time-stamp-of-an-unknown-authority-fails-with-roots',
    stamped(),
    unconfirmed('time_stamp_untrusted'),
    {
      ...byPolicy(),
      tsa_roots: rootsFile('other'),
    },
  ),
  kitWith(
    'a-time-stamp-does-not-replace-witnesses',
    stamped({}, byLogAnd(0)),
    unconfirmed('log_quorum_not_met'),
    BOTH,
  ),
  kitWith(
    'a-kit-issued-more-than-24-hours-before-the-trusted-time-fails',
    issued('2026-05-04T12:01:30.999Z'),
    unconfirmed('time_out_of_bounds'),
    BOTH,
  ),
  kitWith(
    'a-kit-issued-more-than-five-minutes-after-the-trusted-time-fails',
    issued('2026-05-05T12:06:31.001Z'),
    unconfirmed('time_out_of_bounds'),
    BOTH,
  ),
  kitWith(
    'a-kit-issued-more-than-24-hours-before-the-witnesses-fails',
    issued('2026-05-04T12:01:00.999Z', LOGGED),
    unconfirmed('time_out_of_bounds'),
    byPolicy(),
  ),
  kitWith(
    'the-later-of-witnesses-and-time-stamp-counts',
    issued('2026-05-04T12:01:01.000Z', stamped({ time: '20260505120059Z' })),
    passes(),
    BOTH,
  ),
  kitWith(
    'a-backdated-kit-fails',
    stamped({ time: '20260601000000Z' }),
    unconfirmed('time_out_of_bounds'),
    BOTH,
  ),
  kitWith('a-reader-may-allow-a-shorter-delay', stamped(), unconfirmed('time_out_of_bounds'), {
    ...BOTH,
    max_delay_seconds: 90,
  }),
  kitWith(
    'a-log-proof-of-another-receipt-confirms-no-time',
    { ...stamped(), logProof: (receipt) => makeLogProof()({ ...receipt, scope: 'other' }) },
    fails(['log_proof_mismatch', 'time_stamp_mismatch'], []),
    BOTH,
  ),
]

export const malformedTimeStamps: readonly Case[] = [
  kitWith(
    'a-malformed-time-stamp-fails',
    { ...LOGGED, timeStamp: () => utf8('{}') },
    altered('time_stamp_malformed'),
  ),
  kitWith(
    'a-malformed-time-stamp-fails-with-roots',
    { ...LOGGED, timeStamp: () => sequence() },
    altered('time_stamp_malformed'),
    BOTH,
  ),
  kitWith(
    'a-time-stamp-beside-a-malformed-log-proof-fails',
    { ...stamped(), logProof: () => utf8('{}') },
    fails(['log_proof_malformed'], []),
  ),
  kitWith(
    'a-time-stamp-larger-than-64-kib-fails',
    { ...LOGGED, timeStamp: () => new Uint8Array(65_537) },
    altered('time_stamp_malformed'),
  ),
  kitWith(
    'an-unknown-proof-beside-a-time-stamp-fails',
    { ...stamped(), packed: (files) => void files.set('proofs/time.tst', files.get(TIME_STAMP_PATH)!) },
    fails(['proof_unknown'], ARTIFACTS),
  ),
]

const REVOKED = fails(['key_revoked'], KEY, 'none', 'key_revoked')
/** A reader whose key set lists the key as compromised since a time. */
const since = (set: KeySetName, trust: TrustNote = BOTH): TrustNote => ({ ...trust, ...trusting(set) })

export const compromisedKeys: readonly Case[] = [
  kitWith(
    'a-kit-older-than-the-compromise-of-its-key-passes',
    stamped(),
    passes(),
    since('issuer-compromised-later'),
  ),
  kitWith(
    'a-kit-older-than-the-compromise-passes-by-its-witnesses',
    LOGGED,
    passes(),
    since('issuer-compromised-later', byPolicy()),
  ),
  kitWith(
    'a-kit-older-than-the-compromise-passes-by-its-time-stamp',
    stamped(),
    passes(),
    since('issuer-compromised-later', ROOTS),
  ),
  kitWith('a-kit-older-than-the-compromise-passes-with-its-kid', stamped(), passes('pinned'), {
    ...since('issuer-compromised-later'),
    kids: [issuer.kid],
  }),
  kitWith(
    'a-kit-seen-when-its-key-was-compromised-fails',
    stamped(),
    REVOKED,
    since('issuer-compromised-then'),
  ),
  kitWith('a-kit-seen-after-its-key-was-compromised-fails', stamped(), REVOKED, since('issuer-compromised')),
  kitWith(
    'without-a-policy-every-kit-of-a-compromised-key-fails',
    stamped(),
    REVOKED,
    since('issuer-compromised-later', {}),
  ),
  kitWith(
    'a-log-without-witnesses-saves-no-kit-of-a-compromised-key',
    LOGGED,
    REVOKED,
    since('issuer-compromised-later', byPolicy('log-alone')),
  ),
  kitWith(
    'too-few-witnesses-save-no-kit-of-a-compromised-key',
    stamped({}, byLogAnd(0)),
    fails(['key_revoked', 'log_quorum_not_met'], KEY, 'none', 'key_revoked'),
    since('issuer-compromised-later'),
  ),
  kitWith(
    'an-unknown-authority-saves-no-kit-of-a-compromised-key',
    stamped(),
    fails(['key_revoked', 'time_stamp_untrusted'], KEY, 'none', 'key_revoked'),
    since('issuer-compromised-later', { tsa_roots: rootsFile('other') }),
  ),
  kitWith(
    'a-time-out-of-bounds-saves-no-kit-of-a-compromised-key',
    issued('2026-05-03T12:00:00.000Z'),
    fails(['key_revoked', 'time_out_of_bounds'], KEY, 'none', 'key_revoked'),
    since('issuer-compromised-later'),
  ),
  kitWith(
    'a-key-that-was-revoked-without-a-compromise-fails-at-any-time',
    stamped(),
    REVOKED,
    since('issuer-listed-as-revoked'),
  ),
  kitWith('a-revocation-without-a-compromise-in-another-key-set-counts', stamped(), REVOKED, {
    ...BOTH,
    ...trusting('issuer-compromised-later', 'issuer-listed-as-revoked'),
  }),
  kitWith(
    'an-altered-kit-older-than-the-compromise-is-altered',
    { ...stamped(), packed: (files) => files.delete(LETTER) },
    fails(['artifact_missing'], ARTIFACTS),
    since('issuer-compromised-later'),
  ),
  kitWith(
    'a-kit-of-another-issuer-is-not-saved-by-its-age',
    stamped(),
    fails(['signer_not_trusted'], KEY, 'none', 'signer_unknown'),
    { ...since('issuer-compromised-later'), issuer: 'https://other.example' },
  ),
]
