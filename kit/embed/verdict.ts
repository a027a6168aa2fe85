import type { Receipt } from '../src/receipt.ts'
import type { CheckResult, VerificationReport } from '../src/report.ts'
import { verdictAdvice, verdictHeading, VERDICTS } from '../src/verdicts.ts'
import type { Message } from '../src/texts/message.ts'
import { hostOf } from '../src/same-origin.ts'
import type { SiteKeySet } from './trusted-keys.ts'
import type { Subject, Verification } from './verify-picked.ts'
import { known, sentences, t } from './words.ts'

/** A finished verification, with what the page knows about it. */
export interface Result extends Verification {
  readonly kind: Subject['is']
  readonly name: string
  readonly sizeBytes: number
  readonly verifiedAt: Date
  readonly tookMs: number
  /** The site that serves this page, if it was checked with the keys that this site publishes. */
  readonly site?: Pick<SiteKeySet, 'issuer' | 'address'> | undefined
}

/** What a person is told. */
export interface Verdict extends VerdictWords {
  readonly verdict: string
  readonly checks: readonly CheckResult[]
  readonly errors: readonly ReportedError[]
  readonly advice: Advice | undefined
  /** Whether a trusted key signed what the receipt says. */
  readonly isProved: boolean
}

export interface Advice {
  readonly title: string
  readonly steps: readonly string[]
  /** Where else to check. */
  readonly link?: string | undefined
}

export interface VerdictWords {
  readonly tone: 'pass' | 'warn' | 'fail'
  readonly heading: string
  /** Undefined where neither applies: a receipt without its files. */
  readonly status?: 'PASS' | 'FAIL'
  readonly sentence: string
}

const TONES = { green: 'pass', amber: 'warn', red: 'fail' } as const

/** What the words depend on. */
type Judged = Pick<Result, 'report' | 'site' | 'kind'> & {
  readonly receipt: Pick<Receipt, 'issuer'> | undefined
}

/** The verdict on a kit. */
export function kitVerdict(result: Judged): Verdict {
  const { verdict, status, checks } = result.report
  const { colour } = VERDICTS[verdict]
  return {
    verdict,
    tone: TONES[colour],
    heading: verdictHeading(result.report, t),
    status,
    sentence:
      (verdict === 'signer_unknown' ? notSignedSentence('kit', result) : undefined) ??
      verdictAdvice(result.report, t),
    checks,
    errors: errorsOf(result.report),
    advice: adviceFor(result),
    isProved: verdict === 'verified',
  }
}

/** The issuer's own page knows all keys of the issuer, so it can say more than the table. */
export function notSignedSentence(
  what: 'kit' | 'receipt',
  { report, receipt, site }: Pick<Judged, 'report' | 'receipt' | 'site'>,
): string | undefined {
  if (site === undefined || receipt?.issuer !== site.issuer || !hasOtherKey(report)) return undefined
  return t(`view.notSigned.${what}`, { issuer: site.issuer })
}

/** Whether keys from the reader could change the verdict. The log's part is settled by a policy, not by keys. */
export function canConfirmSender({ verdict, signer }: VerificationReport): boolean {
  return verdict === 'sender_unconfirmed' && signer.trust !== 'jwks' && signer.trust !== 'pinned'
}

/** An error of a report, and its reason for other languages. */
export interface ReportedError {
  readonly error: string
  readonly message: Message | null | undefined
}

export const errorsOf = ({ errors, error_messages }: VerificationReport): readonly ReportedError[] =>
  errors.map((error, index) => ({ error, message: error_messages?.[index] }))

export const codeOf = (error: string): string => error.split(':', 1)[0] ?? ''

function hasOtherKey({ errors }: VerificationReport): boolean {
  return errors.some((error) => ['key_id_mismatch', 'key_not_in_jwks'].includes(codeOf(error)))
}

function adviceFor({ report, receipt, kind, site }: Judged): Advice | undefined {
  const { verdict, errors } = report
  if (canConfirmSender(report) && receipt !== undefined) return otherIssuer(receipt.issuer, site)
  if (verdict === 'signer_unknown' && site === undefined) return adviceOf('otherKey', 3)
  const hasExtraFiles = errors.some((error) => codeOf(error) === 'artifact_unlisted')
  return kind === 'folder' && hasExtraFiles ? adviceOf('extraFiles', 2) : undefined
}

const adviceOf = (about: 'otherKey' | 'extraFiles', steps: number): Advice => ({
  title: t(`view.${about}.title`),
  steps: Array.from({ length: steps }, (_, step) => known(`view.${about}.steps.${step}`) ?? ''),
})

/** This page has no keys of the issuer that the receipt names. */
export function otherIssuer(issuer: string, site: Result['site']): Advice | undefined {
  const isAddress = /^https?:/.test(issuer) && URL.canParse(issuer)
  if (!isAddress && site === undefined) return undefined
  const here = site === undefined ? [] : [t('view.askIssuer.here', { site: hostOf(site.address), issuer })]
  return {
    title: t('view.askIssuer.title'),
    steps: [sentences([...here, ...(isAddress ? [t('view.askIssuer.there')] : [])])],
    link: isAddress ? `${new URL(issuer).href.replace(/\/+$/, '')}/verify` : undefined,
  }
}
