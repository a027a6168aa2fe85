import type { CheckResult, SignerReport, VerificationReport } from '../src/report.ts'
import { counted, element } from './elements.ts'
import { formatBytes } from '../src/format-bytes.ts'
import { type Advice, adviceFor, codeOf, type Verdict, verdictOf } from './verdict.ts'
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
  view.append(banner(verdictOf(report), result))
  if (keySetIsKitsCopy && report.signer.trust === 'jwks') view.append(copyWarning())
  view.append(signer(report.signer))
  const advice = adviceFor(report, kind)
  if (advice !== undefined) view.append(advised(advice))
  view.append(claims(result), checks(report.checks))
  if (report.errors.length > 0) view.append(errors(report.errors))
  return view
}

/** One sentence for a screen reader, before it is led to the result. */
export function spoken(report: VerificationReport): string {
  const { word, qualifier, sentence } = verdictOf(report)
  return `${word}${qualifier === undefined ? '' : `, ${qualifier}`}. ${sentence}`
}

function banner({ tone, word, qualifier, sentence }: Verdict, result: ShownResult): HTMLElement {
  const { kitName, kind, fileCount, sizeBytes, verifiedAt } = result
  const mark = { pass: '✓', fail: '✕', integrity: '!' }[tone]
  const what = `${kitName} (${kind}, ${counted(fileCount, 'file')}, ${formatBytes(sizeBytes)})`
  const small = qualifier === undefined ? undefined : element('small', {}, ` ${qualifier}`)
  return element(
    'div',
    { class: `verdict ${tone}` },
    element('span', { class: 'mark', 'aria-hidden': 'true' }, mark),
    element(
      'div',
      {},
      element('h2', { id: 'verdict', tabindex: '-1' }, word, small),
      element('p', {}, sentence),
      element('p', { class: 'quiet' }, `${what}, checked ${instant(verifiedAt.toISOString())}`),
    ),
  )
}

const TRUST: Readonly<Record<SignerReport['trust'], string>> = {
  pinned: 'trusted: you gave its key ID',
  jwks: 'trusted: it is in the key set that you gave',
  kit: 'NOT CHECKED: the key came with the kit',
  none: 'not trusted',
}

function signer({ kid, trust }: SignerReport): HTMLElement {
  return titled(
    'signer',
    'Signer',
    facts([
      ['Key ID', kid ?? 'none', kid !== null],
      ['Trust', TRUST[trust]],
    ]),
  )
}

/** What the receipt says of itself, with a title that says whether a trusted signature stands behind it. */
function claims({ report, receipt }: ShownResult): HTMLElement {
  const trusted = report.signer.trust === 'pinned' || report.signer.trust === 'jwks'
  const proved = trusted && report.ed25519_signature_valid && report.receipt_canonical_hash_valid
  if (receipt === undefined)
    return titled('claims', 'Receipt', 'It is missing or malformed: kit, issuer and time are not known.')
  return titled(
    'claims',
    proved ? 'What the signed receipt says' : 'What the receipt claims, with no trusted signature behind it',
    facts([
      ['Kit', receipt.kit_id, true],
      ['Issuer', receipt.issuer],
      ['Scope', receipt.scope],
      ['Issued at', instant(receipt.issued_at)],
    ]),
  )
}

function advised({ title, steps }: Advice): HTMLElement {
  const [only, ...more] = steps
  const body =
    more.length === 0
      ? element('p', {}, only)
      : element('ol', {}, ...steps.map((step) => element('li', {}, step)))
  const section = titled('advice', title, body)
  section.classList.add('advice')
  return section
}

const WORDS = { pass: 'pass', fail: 'FAIL', not_run: 'not run' } as const
const MARKS = { pass: '✓', fail: '✕', not_run: '–' } as const

function checks(results: readonly CheckResult[]): HTMLElement {
  const rows = results.map(({ check, guarantee, result, why }) =>
    element(
      'li',
      { class: result, 'data-check': check },
      element('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[result]),
      element('span', { class: 'word' }, `${WORDS[result]} `),
      element(
        'span',
        { class: 'what' },
        guarantee,
        why === undefined ? undefined : element('span', { class: 'why' }, why),
      ),
    ),
  )
  return titled('checks', 'Checks', element('ul', { class: 'checks' }, ...rows))
}

function errors(lines: readonly string[]): HTMLElement {
  const rows = lines.map((line) => {
    const code = codeOf(line)
    return element('li', {}, element('code', {}, code), line.slice(code.length))
  })
  return titled('errors', counted(lines.length, 'error'), element('ul', { class: 'errors' }, ...rows))
}

function copyWarning(): HTMLElement {
  return element(
    'p',
    { class: 'notice' },
    element('strong', {}, 'Where did that key set come from? '),
    'It is byte for byte the copy that travels in this kit. It counts only if you got it from the issuer: whoever forges a kit forges the copy too.',
  )
}

function titled(id: string, title: string, body: Node | string): HTMLElement {
  const heading = element('h3', { id: `${id}-title` }, title)
  return element('section', { 'aria-labelledby': heading.id }, heading, body)
}

type Fact = readonly [name: string, value: string, isCode?: boolean]

function facts(rows: readonly Fact[]): HTMLElement {
  const shown = rows.map(([name, value, isCode]) => {
    const dd = element('dd', {}, isCode === true ? element('code', {}, value) : value)
    return element('div', {}, element('dt', {}, name), dd)
  })
  return element('dl', {}, ...shown)
}

const instant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
