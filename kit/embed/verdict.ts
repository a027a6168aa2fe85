import type { CheckResult, VerificationReport } from '../src/report.ts'
import { counted } from './elements.ts'
import type { Subject, Verification } from './verify-picked.ts'

/** A finished verification, with what the page knows about it. */
export interface Result extends Verification {
  readonly kind: Subject['is']
  readonly name: string
  readonly sizeBytes: number
  readonly verifiedAt: Date
  readonly tookMs: number
  /** Who provided the trusted keys: the user of the page, or the service that serves it. */
  readonly keysFrom: 'user' | 'service'
}

/** What a person is told. */
export interface Verdict extends VerdictRow {
  readonly verdict: string
  readonly checks: readonly CheckResult[]
  readonly errors: readonly string[]
  readonly advice: Advice | undefined
}

export interface Advice {
  readonly title: string
  readonly steps: readonly string[]
}

export interface VerdictRow {
  readonly tone: 'pass' | 'warn' | 'fail'
  readonly word: string
  readonly qualifier?: string
  readonly sentence: string
}

/** Only `verified` may look like a full pass. */
const VERDICTS = {
  verified: {
    tone: 'pass',
    word: 'PASS',
    sentence: 'All checks passed. The files are exactly as issued by the owner of the trusted key.',
  },
  integrity_only: {
    tone: 'warn',
    word: 'PASS',
    qualifier: 'INTEGRITY ONLY: the signer was not checked',
    sentence:
      'The files match the key that came with the kit. Anyone can create such a key, so this does not show who made the kit.',
  },
  signer_not_trusted: {
    tone: 'fail',
    word: 'FAIL',
    sentence:
      'The files are intact, but the signature could not be checked because you did not provide a trusted key.',
  },
  failed: { tone: 'fail', word: 'FAIL', sentence: 'Do not rely on this kit.' },
} as const satisfies Readonly<Record<string, VerdictRow>>

type KitVerdict = keyof typeof VERDICTS

/** The verdict on a kit. `otherKey` is the advice for a kit signed with an unknown key. */
export function kitVerdict(result: Result, otherKey: Advice = OTHER_KEY): Verdict {
  const { report } = result
  const { checks, errors } = report
  const verdict = kitVerdictName(report)
  const row: VerdictRow = VERDICTS[verdict]
  const sentence = verdict === 'failed' ? `${failedChecks(report)} ${row.sentence}` : row.sentence
  return { verdict, ...row, sentence, checks, errors, advice: adviceFor(result, otherKey) }
}

function kitVerdictName(report: VerificationReport): KitVerdict {
  const { status, signer } = report
  if (status === 'PASS') return isTrusted(report) ? 'verified' : 'integrity_only'
  return signer.trust !== 'kit' && onlyTrustIsMissing(report) ? 'signer_not_trusted' : 'failed'
}

export const isTrusted = ({ signer }: VerificationReport): boolean =>
  signer.trust === 'pinned' || signer.trust === 'jwks'

const onlyTrustIsMissing = ({ errors }: VerificationReport): boolean =>
  errors.length > 0 && errors.every((error) => codeOf(error) === 'signer_not_trusted')

function failedChecks({ checks }: VerificationReport): string {
  const failed = checks.filter(({ result }) => result === 'fail').length
  const notRun = checks.filter(({ result }) => result === 'not_run').length
  const rest = notRun > 0 ? `, ${counted(notRun, 'check')} not run` : ''
  return `${counted(failed, 'check')} failed${rest}.`
}

export const codeOf = (error: string): string => error.split(':', 1)[0] ?? ''

export function hasOtherKey({ errors }: VerificationReport): boolean {
  return errors.some((error) => ['key_id_mismatch', 'key_not_in_jwks'].includes(codeOf(error)))
}

function adviceFor({ report, kind }: Result, otherKey: Advice): Advice | undefined {
  if (report.signer.trust === 'kit') return ADVICE.provideKey
  if (onlyTrustIsMissing(report)) return ADVICE.getKey
  if (hasOtherKey(report)) return otherKey
  if (kind === 'folder' && report.errors.some((error) => codeOf(error) === 'artifact_unlisted'))
    return ADVICE.verifyArchive
  return report.status === 'FAIL' ? GET_AGAIN : undefined
}

const ADVICE = {
  getKey: {
    title: 'Provide a trusted key',
    steps: [
      'Get the issuer’s key ID or jwks.json from the issuer itself, not from this kit: by phone, from a contract, or from the address where it publishes its keys (/.well-known/jwks.json).',
      'Compare it with the key ID below. If they differ, that issuer did not sign this kit.',
      'Enter it in step 2 of this page and verify again.',
    ],
  },
  verifyArchive: {
    title: 'The folder contains extra files',
    steps: [
      'Some systems add files such as .DS_Store, Thumbs.db or desktop.ini when you open a folder.',
      'If you have the kit.zip, verify that instead.',
    ],
  },
  provideKey: {
    title: 'The signer was not checked',
    steps: [
      'To check who made the kit, clear “Integrity only”, provide the issuer’s key ID or jwks.json, and verify again.',
    ],
  },
} as const satisfies Readonly<Record<string, Advice>>

const OTHER_KEY: Advice = {
  title: 'The kit was signed with a different key',
  steps: [
    'Check that you provided the key ID or key set of the issuer named in the receipt.',
    'Issuers rotate keys. Ask for the current key set, which also lists retired keys.',
    'If the issuer does not know the key ID below, the kit is not from that issuer.',
  ],
}

export const GET_AGAIN: Advice = {
  title: 'What to do',
  steps: ['Ask the sender for the kit.zip again, or download it from the issuer, and verify that copy.'],
}
