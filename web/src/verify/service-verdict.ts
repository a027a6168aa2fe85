import {
  type CheckResult,
  keyText,
  type Receipt,
  sameOrigin,
  verdictAdvice,
  verdictHeading,
} from '@kitseal/kit/internal'
import {
  codeOf,
  errorsOf,
  kitVerdict,
  notSignedSentence,
  otherIssuer,
  type Result,
  type Verdict,
  type VerdictWords,
} from '@kitseal/kit/in-browser'
import { t } from '../core/texts.ts'

/** The verdict on a page that knows the keys of one service: on a kit or a receipt, and on which kit it is. */
export function serviceVerdict(result: Result, expectedKitId?: string): Verdict {
  const verdict = result.kind === 'receipt' ? receiptVerdict(result) : kitVerdict(result)
  if (expectedKitId === undefined) return verdict
  const expected = expectedKitCheck(result.receipt, expectedKitId)
  const checks = [expected, ...verdict.checks]
  return expected.result === 'pass' ? { ...verdict, checks } : { ...verdict, ...otherKit(), checks }
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
    RECEIPT_CHECKS.has(check.check) ? check : { ...check, result: 'not_run', why: t('receiptAlone.noFiles') },
  )
  const isProved = checks.every(({ check, result }) => !RECEIPT_CHECKS.has(check) || result === 'pass')
  const errors = errorsOf(report).filter(({ error }) => codeOf(error) !== 'artifact_missing')
  if (isProved) {
    return {
      verdict: 'receipt_genuine',
      tone: 'warn',
      heading: t('receiptAlone.genuine'),
      sentence: t('receiptAlone.signedWith', { key: keyText(report.signer, t) }),
      checks,
      errors,
      isProved,
      advice: { title: t('receiptAlone.checkFiles.title'), steps: [t('receiptAlone.checkFiles.steps.0')] },
    }
  }
  const isOther = receipt !== undefined && site !== undefined && !sameOrigin(receipt.issuer, site.address)
  if (!isOther || report.signer.revoked_at !== undefined)
    return { ...failedWords(checked), checks, errors, isProved, advice: undefined }
  const advice = otherIssuer(receipt.issuer, site)
  return {
    verdict: 'receipt_unconfirmed',
    tone: 'warn',
    heading: t('receiptAlone.unconfirmed'),
    status: 'FAIL',
    sentence: t('receiptAlone.unconfirmedText'),
    checks,
    errors,
    isProved,
    advice,
  }
}

function failedWords(result: Pick<Result, 'report' | 'receipt' | 'site'>): WordsAndName {
  const { signer } = result.report
  const failed = {
    verdict: 'receipt_failed',
    tone: 'fail',
    heading: t('receiptAlone.failed'),
    status: 'FAIL',
    sentence: t('receiptAlone.failedText'),
  } as const
  if (signer.revoked_at !== undefined) {
    const revoked = { verdict: 'key_revoked', signer } as const
    const heading = verdictHeading(revoked, t)
    return { ...failed, verdict: 'key_revoked', heading, sentence: verdictAdvice(revoked, t) }
  }
  const sentence = notSignedSentence('receipt', result)
  if (sentence === undefined) return failed
  return { ...failed, heading: t('verdicts.signer_unknown.heading'), sentence }
}

type WordsAndName = VerdictWords & Pick<Verdict, 'verdict'>

function expectedKitCheck(receipt: Receipt | undefined, expectedKitId: string): CheckResult {
  const check = { check: 'kit_is_the_expected_one', guarantee: t('expectedKit.check') }
  if (receipt?.kit_id === expectedKitId) return { ...check, result: 'pass' }
  const why =
    receipt === undefined
      ? t('expectedKit.unknown')
      : t('expectedKit.other', { kitId: receipt.kit_id, expected: expectedKitId })
  return { ...check, result: 'fail', why }
}

function otherKit(): WordsAndName {
  return {
    verdict: 'other_kit',
    tone: 'fail',
    heading: t('expectedKit.heading'),
    status: 'FAIL',
    sentence: t('expectedKit.sentence'),
  }
}
