import type { CheckResult, SignerReport, VerificationReport } from '../src/report.ts'
import { counted, element, formatBytes } from './elements.ts'
import { adviceFor, codeOf, type Verdict, verdictOf } from './verdict.ts'
import type { Verified } from './verify-picked.ts'

export interface ShownResult extends Verified {
  readonly kitName: string
  readonly kind: 'zip' | 'folder'
  readonly verifiedAt: Date
}

/** The whole result, in the engine's own words. */
export function resultView(result: ShownResult): DocumentFragment {
  const { report, kind, keySetIsKitsCopy } = result
  const view = document.createDocumentFragment()
  const advice = adviceFor(report, kind)
  view.append(banner(verdictOf(report)), facts(result))
  if (keySetIsKitsCopy && report.signer.trust !== 'kit') view.append(copyWarning())
  if (advice !== undefined)
    view.append(
      element(
        'section',
        { class: 'advice', 'aria-labelledby': 'advice-title' },
        element('h3', { id: 'advice-title' }, advice.title),
        element('ol', {}, ...advice.steps.map((step) => element('li', {}, step))),
      ),
    )
  view.append(checks(report.checks))
  if (report.errors.length > 0) view.append(errors(report.errors))
  return view
}

/** One sentence for a screen reader, before it is led to the result. */
export function spoken(report: VerificationReport): string {
  const { word, qualifier, sentence } = verdictOf(report)
  return `${word}${qualifier === undefined ? '' : `, ${qualifier}`}. ${sentence}`
}

function banner({ tone, word, qualifier, sentence }: Verdict): HTMLElement {
  const mark = { pass: '✓', fail: '✕', integrity: '!' }[tone]
  return element(
    'div',
    { class: `verdict ${tone}` },
    element('span', { class: 'mark', 'aria-hidden': 'true' }, mark),
    element(
      'div',
      {},
      element(
        'h2',
        { id: 'verdict', tabindex: '-1' },
        word,
        qualifier === undefined ? undefined : element('small', {}, ` ${qualifier}`),
      ),
      element('p', {}, sentence),
    ),
  )
}

const TRUST: Readonly<Record<SignerReport['trust'], string>> = {
  pinned: 'trusted: you gave its key ID',
  jwks: 'trusted: it is in the key set that you gave',
  kit: 'not checked: the key came with the kit',
  none: 'not trusted',
}

function facts(result: ShownResult): HTMLElement {
  const { report, receipt, kitName, kind, fileCount, sizeBytes, verifiedAt } = result
  const proved = report.ed25519_signature_valid && report.receipt_canonical_hash_valid
  const rows: readonly (readonly [name: string, value: string, isCode?: boolean])[] = [
    ['Checked', `${kitName} (${kind}, ${counted(fileCount, 'file')}, ${formatBytes(sizeBytes)})`],
    ['Checked at', instant(verifiedAt.toISOString())],
    ...(receipt === undefined
      ? ([['Receipt', 'missing or unreadable: kit, issuer and time are not known']] as const)
      : ([
          ['Kit', receipt.kit_id, true],
          ['Issuer', receipt.issuer],
          ['Scope', receipt.scope],
          ['Issued at', instant(receipt.issued_at)],
        ] as const)),
    ['Key ID', report.signer.kid ?? 'none', report.signer.kid !== null],
    ['Signer', TRUST[report.signer.trust]],
  ]
  return element(
    'section',
    { 'aria-labelledby': 'facts-title' },
    element('h3', { id: 'facts-title' }, proved ? 'What the signed receipt says' : 'What the receipt claims'),
    receipt !== undefined && !proved
      ? element('p', { class: 'quiet' }, 'No trusted signature stands behind these lines.')
      : undefined,
    element(
      'dl',
      {},
      ...rows.map(([name, value, isCode]) =>
        element(
          'div',
          {},
          element('dt', {}, name),
          element('dd', {}, isCode === true ? element('code', {}, value) : value),
        ),
      ),
    ),
  )
}

const WORDS = { pass: 'pass', fail: 'fail', not_run: 'not run' } as const
const MARKS = { pass: '✓', fail: '✕', not_run: '–' } as const

function checks(results: readonly CheckResult[]): HTMLElement {
  return element(
    'section',
    { 'aria-labelledby': 'checks-title' },
    element('h3', { id: 'checks-title' }, 'Checks'),
    element(
      'ul',
      { class: 'checks' },
      ...results.map(({ check, guarantee, result, why }) =>
        element(
          'li',
          { class: result, 'data-check': check },
          element('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[result]),
          element('span', { class: 'word' }, WORDS[result]),
          element(
            'span',
            { class: 'what' },
            guarantee,
            why === undefined ? undefined : element('span', { class: 'why' }, why),
          ),
        ),
      ),
    ),
  )
}

function errors(lines: readonly string[]): HTMLElement {
  return element(
    'section',
    { 'aria-labelledby': 'errors-title' },
    element('h3', { id: 'errors-title' }, counted(lines.length, 'error')),
    element(
      'ul',
      { class: 'errors' },
      ...lines.map((line) => {
        const code = codeOf(line)
        return element('li', {}, element('code', {}, code), line.slice(code.length))
      }),
    ),
  )
}

function copyWarning(): HTMLElement {
  return element(
    'p',
    { class: 'notice' },
    element('strong', {}, 'Where did that key set come from? '),
    'It is byte for byte the copy that travels in this kit. It counts only if you got it from the issuer: whoever forges a kit forges the copy too.',
  )
}

const instant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
