import {
  type CheckResult,
  fill,
  keyText,
  type Receipt,
  sameOrigin,
  verdictAdvice,
  verdictHeading,
} from '@kitseal/kit/internal'
import {
  codeOf,
  kitVerdict,
  notSignedSentence,
  otherIssuer,
  type Result,
  type Verdict,
  type VerdictWords,
} from '@kitseal/kit/in-browser'
import { serviceWords, words } from '@kitseal/kit/in-browser/words'

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
  const t = serviceWords().receiptAlone
  const checks = report.checks.map((check): CheckResult =>
    RECEIPT_CHECKS.has(check.check) ? check : { ...check, result: 'not_run', why: t.noFiles },
  )
  const isProved = checks.every(({ check, result }) => !RECEIPT_CHECKS.has(check) || result === 'pass')
  const errors = report.errors.filter((error) => codeOf(error) !== 'artifact_missing')
  if (isProved) {
    return {
      verdict: 'receipt_genuine',
      tone: 'warn',
      heading: t.genuine,
      sentence: fill(t.signedWith, { key: keyText(report.signer, words.kit) }),
      checks,
      errors,
      isProved,
      advice: t.checkFiles,
    }
  }
  const isOther = receipt !== undefined && site !== undefined && !sameOrigin(receipt.issuer, site.address)
  if (!isOther || report.signer.revoked_at !== undefined)
    return { ...failedWords(checked), checks, errors, isProved, advice: undefined }
  const advice = otherIssuer(receipt.issuer, site)
  return {
    verdict: 'receipt_unconfirmed',
    tone: 'warn',
    heading: t.unconfirmed,
    status: 'FAIL',
    sentence: t.unconfirmedText,
    checks,
    errors,
    isProved,
    advice,
  }
}

function failedWords(result: Pick<Result, 'report' | 'receipt' | 'site'>): WordsAndName {
  const { signer } = result.report
  const t = serviceWords().receiptAlone
  const failed = {
    verdict: 'receipt_failed',
    tone: 'fail',
    heading: t.failed,
    status: 'FAIL',
    sentence: t.failedText,
  } as const
  if (signer.revoked_at !== undefined) {
    const revoked = { verdict: 'key_revoked', signer } as const
    const heading = verdictHeading(revoked, words.kit)
    return { ...failed, verdict: 'key_revoked', heading, sentence: verdictAdvice(revoked, words.kit) }
  }
  const sentence = notSignedSentence('receipt', result)
  if (sentence === undefined) return failed
  return { ...failed, heading: words.kit.verdicts.signer_unknown.heading, sentence }
}

type WordsAndName = VerdictWords & Pick<Verdict, 'verdict'>

function expectedKitCheck(receipt: Receipt | undefined, expectedKitId: string): CheckResult {
  const t = serviceWords().expectedKit
  const check = { check: 'kit_is_the_expected_one', guarantee: t.check }
  if (receipt?.kit_id === expectedKitId) return { ...check, result: 'pass' }
  const why =
    receipt === undefined ? t.unknown : fill(t.other, { kitId: receipt.kit_id, expected: expectedKitId })
  return { ...check, result: 'fail', why }
}

function otherKit(): WordsAndName {
  const { heading, sentence } = serviceWords().expectedKit
  return { verdict: 'other_kit', tone: 'fail', heading, status: 'FAIL', sentence }
}
