import type { Receipt } from '../src/receipt.ts'
import type { CheckResult } from '../src/report.ts'
import { sameOrigin } from '../src/same-origin.ts'
import { keyText, verdictHeading, VERDICTS } from '../src/verdicts.ts'
import {
  type Advice,
  codeOf,
  forgedSentence,
  kitVerdict,
  otherIssuer,
  type Result,
  type Verdict,
  type VerdictWords,
} from './verdict.ts'

/** The verdict on a page that knows the keys of one service: on a kit or a receipt, and on which kit it is. */
export function serviceVerdict(result: Result, expectedKitId?: string): Verdict {
  const verdict = result.kind === 'receipt' ? receiptVerdict(result) : kitVerdict(result)
  if (expectedKitId === undefined) return verdict
  const expected = expectedKitCheck(result.receipt, expectedKitId)
  const checks = [expected, ...verdict.checks]
  return expected.result === 'pass' ? { ...verdict, checks } : { ...verdict, ...OTHER_KIT, checks }
}

/** The checks that a receipt can pass without its files. */
const RECEIPT_CHECKS: ReadonlySet<string> = new Set([
  'receipt_is_whole',
  'key_id_matches_public_key',
  'key_was_alive',
  'signature_verifies',
  'signer_is_trusted',
])

/** A receipt alone never passes: its files were not checked. */
export function receiptVerdict(checked: Pick<Result, 'report' | 'receipt' | 'site'>): Verdict {
  const { report, receipt, site } = checked
  const checks = report.checks.map((check): CheckResult =>
    RECEIPT_CHECKS.has(check.check)
      ? check
      : { ...check, result: 'not_run', why: 'a receipt alone has no files' },
  )
  const isProved = checks.every(({ check, result }) => !RECEIPT_CHECKS.has(check) || result === 'pass')
  const errors = report.errors.filter((error) => codeOf(error) !== 'artifact_missing')
  if (isProved) {
    const sentence = `The receipt is signed with ${keyText(report.signer)}. No files were checked.`
    return { ...RECEIPT_GENUINE, sentence, checks, errors, isProved, advice: CHECK_FILES }
  }
  const isOther = receipt !== undefined && site !== undefined && !sameOrigin(receipt.issuer, site.address)
  if (!isOther || report.signer.revoked_at !== undefined)
    return { ...failedWords(checked), checks, errors, isProved, advice: undefined }
  const advice = otherIssuer(receipt.issuer, site)
  return { ...RECEIPT_UNCONFIRMED, checks, errors, isProved, advice }
}

function failedWords(result: Pick<Result, 'report' | 'receipt' | 'site'>): WordsAndName {
  const { signer } = result.report
  if (signer.revoked_at !== undefined) {
    const heading = verdictHeading({ verdict: 'key_revoked', signer })
    return { ...RECEIPT_FAILED, verdict: 'key_revoked', heading, sentence: VERDICTS.key_revoked.advice }
  }
  const sentence = forgedSentence('receipt', result)
  if (sentence === undefined) return RECEIPT_FAILED
  return { ...RECEIPT_FAILED, heading: VERDICTS.signer_unknown.heading, sentence }
}

type WordsAndName = VerdictWords & Pick<Verdict, 'verdict'>

function expectedKitCheck(receipt: Receipt | undefined, expectedKitId: string): CheckResult {
  const check = { check: 'kit_is_the_expected_one', guarantee: 'This is the kit this page is for' }
  if (receipt?.kit_id === expectedKitId) return { ...check, result: 'pass' }
  const why =
    receipt === undefined
      ? 'its receipt cannot be read, so its kit ID is unknown'
      : `this file is ${receipt.kit_id}, but this page is for ${expectedKitId}`
  return { ...check, result: 'fail', why }
}

const RECEIPT_GENUINE = {
  verdict: 'receipt_genuine',
  tone: 'warn',
  heading: 'Genuine receipt, files not checked',
} as const

const RECEIPT_UNCONFIRMED = {
  verdict: 'receipt_unconfirmed',
  tone: 'warn',
  heading: 'Sender not confirmed yet',
  status: 'FAIL',
  sentence: 'Anyone can make a receipt that names this issuer, and this site is not the issuer.',
} as const

const RECEIPT_FAILED = {
  verdict: 'receipt_failed',
  tone: 'fail',
  heading: 'Receipt not confirmed',
  status: 'FAIL',
  sentence: 'This receipt is not signed with a key of this site. Do not rely on it.',
} as const

const OTHER_KIT = {
  verdict: 'other_kit',
  tone: 'fail',
  heading: 'Different kit',
  status: 'FAIL',
  sentence: 'This is not the kit this page is for. Check the link or the code in the binder, and the file.',
} as const

const CHECK_FILES: Advice = {
  title: 'What to do',
  steps: ['To check the files as well, verify the kit.zip that this receipt belongs to.'],
}
