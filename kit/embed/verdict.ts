import type { CheckResult, VerificationReport } from '../src/report.ts'
import { verdictAdvice, verdictHeading, VERDICTS } from '../src/verdicts.ts'
import type { Subject, Verification } from './verify-picked.ts'

/** A finished verification, with what the page knows about it. */
export interface Result extends Verification {
  readonly kind: Subject['is']
  readonly name: string
  readonly sizeBytes: number
  readonly verifiedAt: Date
  readonly tookMs: number
  /** The issuer whose own page this is: it was checked with the keys that this issuer publishes. */
  readonly ownIssuer?: string | undefined
}

/** What a person is told. */
export interface Verdict extends VerdictWords {
  readonly verdict: string
  readonly checks: readonly CheckResult[]
  readonly errors: readonly string[]
  readonly advice: Advice | undefined
  /** Whether a trusted key signed what the receipt says. */
  readonly isProved: boolean
}

export interface Advice {
  readonly title: string
  readonly steps: readonly string[]
}

export interface VerdictWords {
  readonly tone: 'pass' | 'warn' | 'fail'
  readonly heading: string
  /** Undefined where neither applies: a receipt without its files. */
  readonly status?: 'PASS' | 'FAIL'
  readonly sentence: string
}

const TONES = { green: 'pass', amber: 'warn', red: 'fail' } as const

/** The verdict on a kit. */
export function kitVerdict(result: Result): Verdict {
  const { verdict, status, checks, errors } = result.report
  const { colour } = VERDICTS[verdict]
  return {
    verdict,
    tone: TONES[colour],
    heading: verdictHeading(result.report),
    status,
    sentence:
      (verdict === 'signer_unknown' ? forgedSentence('kit', result) : undefined) ??
      verdictAdvice(result.report),
    checks,
    errors,
    advice: adviceFor(result),
    isProved: verdict === 'verified',
  }
}

/** The issuer's own page knows all keys of the issuer, so it can say more than the table. */
export function forgedSentence(
  what: 'kit' | 'receipt',
  { report, receipt, ownIssuer }: Pick<Result, 'report' | 'receipt' | 'ownIssuer'>,
): string | undefined {
  if (ownIssuer === undefined || receipt?.issuer !== ownIssuer || !hasOtherKey(report)) return undefined
  return `This ${what} names ${ownIssuer}, and ${ownIssuer} did not sign it. Treat it as forged.`
}

/** Whether keys from the reader could change the verdict. The log's part is settled by a policy, not by keys. */
export function canConfirmSender({ verdict, signer }: VerificationReport): boolean {
  return verdict === 'sender_unconfirmed' && signer.trust !== 'jwks' && signer.trust !== 'pinned'
}

export const codeOf = (error: string): string => error.split(':', 1)[0] ?? ''

function hasOtherKey({ errors }: VerificationReport): boolean {
  return errors.some((error) => ['key_id_mismatch', 'key_not_in_jwks'].includes(codeOf(error)))
}

function adviceFor({ report, receipt, kind, ownIssuer }: Result): Advice | undefined {
  const { verdict, errors } = report
  if (verdict === 'sender_unconfirmed' && ownIssuer !== undefined && receipt?.issuer !== ownIssuer)
    return otherIssuer(receipt?.issuer ?? '', ownIssuer)
  if (verdict === 'signer_unknown' && ownIssuer === undefined) return OTHER_KEY
  const hasExtraFiles = errors.some((error) => codeOf(error) === 'artifact_unlisted')
  return kind === 'folder' && hasExtraFiles ? EXTRA_FILES : undefined
}

export function otherIssuer(issuer: string, ownIssuer: string): Advice {
  return {
    title: 'Another issuer',
    steps: [
      `This page has the keys of ${ownIssuer}, but the receipt names ${issuer} as the issuer. Check it on the website of ${issuer}, or with the keys published there.`,
    ],
  }
}

const EXTRA_FILES: Advice = {
  title: 'The folder contains extra files',
  steps: [
    'Some systems add files such as .DS_Store, Thumbs.db or desktop.ini when you open a folder.',
    'If you have the kit.zip, check that instead.',
  ],
}

const OTHER_KEY: Advice = {
  title: 'The kit was signed with a different key',
  steps: [
    'Check that you gave the key set or key ID of the issuer named above.',
    'Issuers replace keys. Download the key set again: it also lists earlier keys.',
    'If the issuer does not know the key ID below, the kit is not from that issuer.',
  ],
}
