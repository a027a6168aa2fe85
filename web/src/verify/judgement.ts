import type { CheckResult, Receipt, VerificationReport } from '@kitseal/kit'
import { codeOf, verdictOf } from '@kitseal/kit/in-browser'
import { texts } from '../texts/index.ts'

export interface Judged {
  readonly tone: 'pass' | 'fail' | 'receipt'
  readonly word: string
  readonly qualifier?: string
  readonly sentence: string
  readonly checks: readonly CheckResult[]
  readonly errors: readonly string[]
  /** What to do about it, where there is something to do. */
  readonly advice?: string
}

export interface ToJudge {
  readonly kind: 'zip' | 'folder' | 'receipt'
  readonly report: VerificationReport
  readonly receipt: Receipt | undefined
  /** The kit that the address of the page names. */
  readonly expectedKitId?: string | undefined
}

/** The engine's word, and beside it whether this is the kit that was asked about. A receipt alone is never a PASS. */
export function judge(input: ToJudge): Judged {
  const judged = input.kind === 'receipt' ? judgeReceipt(input.report) : judgeKit(input)
  const { expectedKitId, receipt } = input
  if (expectedKitId === undefined) return judged
  const t = texts.verify.expected
  const held = receipt?.kit_id === expectedKitId
  const own: CheckResult = {
    check: 'kit_is_the_expected_one',
    guarantee: t.guarantee,
    ...(held
      ? { result: 'pass' }
      : { result: 'fail', why: receipt === undefined ? t.unknown : t.other(receipt.kit_id, expectedKitId) }),
  }
  const checks = [own, ...judged.checks]
  if (held) return { ...judged, checks }
  return { ...judged, tone: 'fail', word: 'FAIL', qualifier: t.qualifier, sentence: t.sentence, checks }
}

function judgeKit({ kind, report }: ToJudge): Judged {
  const { word, sentence } = verdictOf(report)
  const tone = word === 'PASS' ? 'pass' : 'fail'
  const advice = adviceFor(report, kind)
  const { checks, errors } = report
  return { tone, word, sentence, checks, errors, ...(advice === undefined ? {} : { advice }) }
}

/** What a receipt can show without its files. */
const OF_THE_RECEIPT: ReadonlySet<string> = new Set([
  'receipt_is_whole',
  'key_id_matches_public_key',
  'key_was_alive',
  'signature_verifies',
  'signer_is_trusted',
])

function judgeReceipt(report: VerificationReport): Judged {
  const t = texts.verify.receiptAlone
  const checks = report.checks.map((check): CheckResult =>
    OF_THE_RECEIPT.has(check.check) ? check : { ...check, result: 'not_run', why: t.notRun },
  )
  const holds = checks.every(({ check, result }) => !OF_THE_RECEIPT.has(check) || result === 'pass')
  const errors = report.errors.filter((error) => codeOf(error) !== 'artifact_missing')
  if (!holds) {
    const advice = adviceFor(report, 'receipt')
    return {
      tone: 'fail',
      word: 'FAIL',
      sentence: t.fail,
      checks,
      errors,
      ...(advice === undefined ? {} : { advice }),
    }
  }
  return {
    tone: 'receipt',
    word: t.word,
    qualifier: t.qualifier,
    sentence: t.sentence,
    checks,
    errors,
    advice: t.advice,
  }
}

function adviceFor(report: VerificationReport, kind: ToJudge['kind']): string | undefined {
  const codes = new Set(report.errors.map(codeOf))
  const { advice } = texts.verify
  if (codes.has('key_id_mismatch') || codes.has('key_not_in_jwks')) return advice.otherKey
  if (kind === 'folder' && codes.has('artifact_unlisted')) return advice.addedToFolder
  if (report.status === 'FAIL') return advice.fetchAgain
  return undefined
}
