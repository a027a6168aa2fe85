import { type Arguments, english, reason, type ReasonKey, type Say, type Why } from './texts/english.ts'

/** One row per verdict. Every colour and exit code comes from here, and the words from verdictHeading() and verdictAdvice(). */
export const VERDICTS = {
  verified: { status: 'PASS', colour: 'green', exitCode: 0 },
  sender_unconfirmed: { status: 'FAIL', colour: 'amber', exitCode: 3 },
  signer_unknown: { status: 'FAIL', colour: 'red', exitCode: 1 },
  key_revoked: { status: 'FAIL', colour: 'red', exitCode: 1 },
  altered: { status: 'FAIL', colour: 'red', exitCode: 1 },
  unreadable: { status: 'FAIL', colour: 'red', exitCode: 2 },
} as const

export type Verdict = keyof typeof VERDICTS

/**
 * The heading of a result, with the date of a revocation. In English, or as `t` says it.
 */
export function verdictHeading(
  { verdict, signer }: { readonly verdict: Verdict; readonly signer: { readonly revoked_at?: string } },
  t: Say = english,
): string {
  if (verdict !== 'key_revoked') return t(`verdicts.${verdict}.heading`)
  const date = signer.revoked_at?.slice(0, 10)
  return date === undefined ? t('kit.keyRevoked') : t('verdicts.key_revoked.heading', { date })
}

/** What was found, or what to do now. */
export function verdictAdvice(
  { verdict, signer }: { readonly verdict: Verdict; readonly signer: KeyOrigin },
  t: Say = english,
): string {
  const isTrusted = signer.trust === 'pinned' || signer.trust === 'jwks'
  if (verdict === 'sender_unconfirmed' && isTrusted) return t('kit.notLogged')
  if (verdict === 'verified') return t('verdicts.verified.advice', { key: keyText(signer, t) })
  return t(`verdicts.${verdict}.advice`)
}

/** Where the key that verified a receipt is from. */
export interface KeySource {
  /** The reader gave it or pinned it, it was fetched from an address that the reader typed, or the page's own site publishes it. */
  readonly source: 'given' | 'pinned' | 'address' | 'site'
  /** Who publishes it. */
  readonly host?: string
  /** The day on which the reader pinned it; not there if it was never compared with a pinned one. */
  readonly pinned_on?: string
  /** Whether the reader was asked before it was pinned, rather than using the address for the first time. */
  readonly confirmed?: boolean
}

/** What is known about the signer's key. */
interface KeyOrigin {
  readonly trust: 'pinned' | 'jwks' | 'kit' | 'none'
  readonly key_from?: KeySource
}

/** Where the key of a signer is from, as every program says it. */
export function keyText({ trust, key_from: from }: KeyOrigin, t: Say = english): string {
  if (trust === 'kit') return t('keys.kit')
  if (trust === 'none' || from === undefined) return t('keys.none')
  const { source, host = '', pinned_on: day, confirmed } = from
  if (source === 'given') return t('keys.given')
  if (source === 'site') return t('keys.site', { host })
  if (source === 'pinned') return day === undefined ? t('keys.pinned') : t('keys.pinnedOn', { day })
  if (day === undefined) return t('keys.notCompared', { host })
  return t(confirmed === true ? 'keys.confirmed' : 'keys.firstUse', { host, day })
}

/** What the reader's keys say about the signer. */
export type Sender = 'trusted' | 'unconfirmed' | 'unknown' | 'revoked'

/** Checks of who signed, and who saw it. If any other check fails, the kit was altered. */
const SENDER_CHECKS = new Set([
  'key_id_matches_public_key',
  'key_was_alive',
  'signer_is_trusted',
  'log_is_witnessed',
  'time_is_confirmed',
])

/** Checks that need a policy. */
const POLICY_CHECKS = new Set(['log_is_witnessed', 'time_is_confirmed'])

const LOG_CHECKS = new Set([...POLICY_CHECKS, 'receipt_is_logged'])

/** Codes of these checks that mean an alteration nevertheless. */
const ALTERED_CODES: readonly ErrorCode[] = [
  'time_stamp_malformed',
  'time_stamp_mismatch',
  'time_stamp_invalid',
]

/** The verdict on a finished verification, the worst one first. spec/kit-format.md, R53. */
export function decideVerdict(
  unreadable: boolean,
  results: readonly { readonly check: string; readonly result: 'pass' | 'fail' | 'not_run' }[],
  codes: ReadonlySet<ErrorCode>,
  sender: Sender | undefined,
): Verdict {
  if (unreadable) return 'unreadable'
  const failed = results.filter(({ result }) => result === 'fail').map(({ check }) => check)
  if (failed.some((check) => !SENDER_CHECKS.has(check)) || ALTERED_CODES.some((code) => codes.has(code)))
    return 'altered'
  if (sender === 'revoked') return 'key_revoked'
  if (sender === 'unknown' || failed.includes('key_was_alive')) return 'signer_unknown'
  if (sender === 'unconfirmed' || failed.some((check) => POLICY_CHECKS.has(check)))
    return 'sender_unconfirmed'
  // Without a policy, a log proof and a time-stamp are checked, but not who signed them.
  const passed = results.every(({ check, result }) => result === 'pass' || LOG_CHECKS.has(check))
  return sender === 'trusted' && passed ? 'verified' : 'altered'
}

/** Every way in which verification can fail. spec/kit-format.md lists the same codes; a test compares them. */
export const ERROR_CODES = {
  kit_unreadable: 'The kit cannot be read, or programs could read it in different ways.',
  artifact_missing: 'A file listed in the manifest is missing.',
  artifact_hash_mismatch: 'A file was changed: its SHA-256 differs from the one in the manifest.',
  artifact_size_mismatch: 'A file has the SHA-256 in the manifest, but a different size.',
  artifact_unlisted: 'The kit contains a file that the manifest does not list.',
  manifest_malformed: 'manifest.json is missing, is not strict JSON, or is not a valid manifest.',
  manifest_hash_mismatch:
    "The manifest's SHA-256 differs from the one in the manifest itself or in the receipt.",
  root_hash_mismatch: 'The root hash of the artifacts differs from the one in the receipt.',
  receipt_manifest_mismatch: 'The manifest and the receipt name different kits, jobs or times.',
  receipt_malformed: 'The receipt is missing, is not strict JSON, or is not a valid receipt.',
  receipt_hash_mismatch: "The canonical receipt's SHA-256 differs from the one in the receipt.",
  envelope_missing: 'An envelope file is missing.',
  envelope_mismatch: 'An envelope file contradicts receipt.json, or was changed.',
  key_not_in_jwks: 'The public key named in the receipt is not in the key sets provided.',
  key_id_mismatch:
    'The receipt names a key other than the pinned one, or a key whose kid is not its thumbprint.',
  key_outside_life: 'The receipt was issued before its key was created or after it was retired.',
  key_revoked: 'The issuer has revoked the signing key.',
  signature_invalid: 'The signature is not valid.',
  signer_not_trusted: 'No trusted key of this issuer was provided, or the key came with the kit.',
  proof_malformed: 'The proof is not strict JSON, or is not a valid proof.',
  proof_mismatch: 'The file and the proof do not lead to the root hash in the receipt.',
  proof_unknown: 'The kit contains a proof of an unknown kind. A newer version may know it.',
  log_proof_malformed: 'proofs/log.tlog-proof is not a valid log proof.',
  log_proof_mismatch: 'The receipt and the log proof do not lead to the root hash in the checkpoint.',
  log_signature_invalid: 'A signature of the log or a witness in the log proof is not valid.',
  log_proof_missing: 'The policy asks for a log proof, and there is none.',
  log_unknown: 'The checkpoint in the log proof is not signed by a log in the policy.',
  log_quorum_not_met: 'Fewer witnesses have cosigned the checkpoint than the policy asks for.',
  time_stamp_malformed: 'proofs/time.tsr is not a granted time-stamp response.',
  time_stamp_mismatch: 'The time-stamp is not for the checkpoint in the log proof.',
  time_stamp_invalid: 'The time-stamp is not what its authority signed.',
  time_stamp_missing: 'The reader asks for a time-stamp, and there is none.',
  time_stamp_untrusted: 'The time-stamp does not lead to a root that the reader gave.',
  time_out_of_bounds: 'The receipt states a time that the witnesses or the time-stamp contradict.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

export interface Finding {
  readonly code: ErrorCode
  readonly why: Why
}

export function finding(code: ErrorCode, why: Why): Finding {
  return { code, why }
}

/** A finding with a reason of `verifier.json`. */
export const failure = <K extends ReasonKey>(code: ErrorCode, key: K, ...args: Arguments<K>): Finding =>
  finding(code, reason(key, ...args))
