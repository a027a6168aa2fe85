import type { CheckResult, VerificationReport } from '../src/report.ts'
import { verdictHeading, VERDICTS } from '../src/verdicts.ts'
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

const TONES = { green: 'pass', amber: 'warn', red: 'fail' } as const

/** The verdict on a kit. `otherKey` is the advice for a kit signed with an unknown key. */
export function kitVerdict(result: Result, otherKey: Advice = OTHER_KEY): Verdict {
  const { report } = result
  const { verdict, checks, errors } = report
  const { status, colour, advice } = VERDICTS[verdict]
  const words = { word: status, qualifier: verdictHeading(report), sentence: advice }
  return { verdict, tone: TONES[colour], ...words, checks, errors, advice: adviceFor(result, otherKey) }
}

export const isTrusted = ({ signer }: VerificationReport): boolean =>
  signer.trust === 'pinned' || signer.trust === 'jwks'

export const codeOf = (error: string): string => error.split(':', 1)[0] ?? ''

export function hasOtherKey({ errors }: VerificationReport): boolean {
  return errors.some((error) => ['key_id_mismatch', 'key_not_in_jwks'].includes(codeOf(error)))
}

function adviceFor({ report, kind }: Result, otherKey: Advice): Advice | undefined {
  const { verdict, signer, errors } = report
  if (verdict === 'sender_unconfirmed' && signer.trust === 'kit') return ADVICE.provideKey
  if (verdict === 'sender_unconfirmed' && !hasOtherKey(report)) return ADVICE.getKey
  if (verdict === 'signer_unknown' || verdict === 'sender_unconfirmed') return otherKey
  if (kind === 'folder' && errors.some((error) => codeOf(error) === 'artifact_unlisted'))
    return ADVICE.verifyArchive
  return verdict === 'altered' || verdict === 'unreadable' ? GET_AGAIN : undefined
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
      'To check who made the kit, clear “Integrity only”, provide the key ID or the key set that the issuer publishes, and verify again.',
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
