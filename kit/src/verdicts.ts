import type { ErrorCode } from './errors.ts'

/** One row per verdict. Every text, colour and exit code shown to a person comes from here. */
export interface VerdictRow {
  readonly status: 'PASS' | 'FAIL'
  /** DATE stands for the date of the revocation. Use verdictHeading(). */
  readonly heading: string
  readonly colour: 'green' | 'amber' | 'red'
  /** What was found, or what to do now. KEY stands for where the key is from. Use verdictAdvice(). */
  readonly advice: string
  readonly exitCode: 0 | 1 | 3
}

/**
 * The verdicts.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { trustKeys, VERDICTS } from '@kitseal/kit'
 * import { readKeySet, verifyKitFile } from '@kitseal/kit/node'
 *
 * const { verdict } = await verifyKitFile('kit.zip', trustKeys(readKeySet('issuer.jwks.json')))
 * assert.equal(VERDICTS[verdict].heading, 'Verified')
 * ```
 */
export const VERDICTS = {
  verified: {
    status: 'PASS',
    heading: 'Verified',
    colour: 'green',
    advice: 'The files are unchanged, and the receipt is signed with KEY.',
    exitCode: 0,
  },
  sender_unconfirmed: {
    status: 'FAIL',
    heading: 'Files intact. Sender not confirmed yet.',
    colour: 'amber',
    advice:
      "Anyone can make a kit that names this issuer. Get the issuer's key set from a website that you know is the issuer's, or compare the key ID with one that you received another way.",
    exitCode: 3,
  },
  signer_unknown: {
    status: 'FAIL',
    heading: 'Not signed by the issuer it names',
    colour: 'red',
    advice:
      'Treat it as forged. Ask the issuer, at an address that you already know, whether it issued this kit.',
    exitCode: 1,
  },
  key_revoked: {
    status: 'FAIL',
    heading: 'Signing key revoked on DATE',
    colour: 'red',
    advice: 'Do not rely on it. Ask the supplier for a re-issued kit, which is signed with a current key.',
    exitCode: 1,
  },
  altered: {
    status: 'FAIL',
    heading: 'Altered since it was issued',
    colour: 'red',
    advice: 'Do not rely on it. Ask the issuer for the original.',
    exitCode: 1,
  },
  unreadable: {
    status: 'FAIL',
    heading: 'Not a readable kit',
    colour: 'red',
    advice: 'Check that you have the complete file, then ask the sender to send it again.',
    exitCode: 1,
  },
} as const satisfies Record<string, VerdictRow>

export type Verdict = keyof typeof VERDICTS

/**
 * The heading of a result, with the date of a revocation.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { verdictHeading } from '@kitseal/kit'
 *
 * const signer = { revoked_at: '2026-05-05T12:00:00.000Z' }
 * assert.equal(verdictHeading({ verdict: 'key_revoked', signer }), 'Signing key revoked on 2026-05-05')
 * ```
 */
export function verdictHeading({
  verdict,
  signer,
}: {
  readonly verdict: Verdict
  readonly signer: { readonly revoked_at?: string }
}): string {
  const { heading } = VERDICTS[verdict]
  if (verdict !== 'key_revoked') return heading
  const date = signer.revoked_at?.slice(0, 10)
  return date === undefined ? heading.replace(' on DATE', '') : heading.replace('DATE', date)
}

/**
 * What was found, or what to do now.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { verdictAdvice, VERDICTS } from '@kitseal/kit'
 *
 * const signer = { trust: 'none' } as const
 * assert.equal(verdictAdvice({ verdict: 'altered', signer }), VERDICTS.altered.advice)
 * ```
 */
export function verdictAdvice({
  verdict,
  signer,
}: {
  readonly verdict: Verdict
  readonly signer: KeyOrigin
}): string {
  const isTrusted = signer.trust === 'pinned' || signer.trust === 'jwks'
  if (verdict === 'sender_unconfirmed' && isTrusted) return NOT_LOGGED_ADVICE
  return VERDICTS[verdict].advice.replace('KEY', () => keyText(signer))
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

/**
 * Where the key of a signer is from, as every program says it.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { keyText } from '@kitseal/kit'
 *
 * assert.equal(keyText({ trust: 'jwks', key_from: { source: 'given' } }), 'the key you gave')
 * ```
 */
export function keyText({ trust, key_from: from }: KeyOrigin): string {
  if (trust === 'kit') return 'the key from the kit itself, so anyone could have made it'
  if (trust === 'none' || from === undefined) return 'a key that is not confirmed'
  return KEY_SOURCES[from.source](from)
}

/** One row per source. docs/decisions/0012 */
const KEY_SOURCES: Readonly<Record<KeySource['source'], (from: KeySource) => string>> = {
  given: () => 'the key you gave',
  pinned: ({ pinned_on: day }) => (day === undefined ? 'the key you pinned' : `the key you pinned on ${day}`),
  address: ({ host, pinned_on: day, confirmed }) => {
    const confirmation = confirmed === true ? 'you confirmed it on' : 'the same as at your first use on'
    const compared = day === undefined ? 'not compared before' : `${confirmation} ${day}`
    return `the key that ${host} publishes today; ${compared}`
  },
  site: ({ host }) => `the key that this site, ${host}, publishes`,
}

/** The key is the issuer's, but the log does not confirm that the issuer used it. */
const NOT_LOGGED_ADVICE =
  "The signature is the issuer's, but the log proof or its time does not meet your policy. Ask the issuer for a newer log proof, and whether it issued this kit."

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
