import { formatBytes } from '../src/format-bytes.ts'
import { ANONYMOUS_CALLER, nameBasis, type Origin, type Supplier, SUPPLIER_BY_LINK } from '../src/claims.ts'
import type { Receipt } from '../src/receipt.ts'
import type { CheckResult } from '../src/report.ts'
import { keyText, VERDICTS } from '../src/verdicts.ts'
import { counted, element, icon, outsideLink } from './elements.ts'
import { provenanceView } from './provenance-view.ts'
import { type Advice, codeOf, type Result, type Verdict } from './verdict.ts'

export interface ResultOptions {
  /** The JSON file behind “Save as JSON”. */
  readonly saved: { readonly name: string; readonly json: unknown }
  /** Shown as “Verify another”, where given. */
  readonly onAgain?: (() => void) | undefined
  /** Where the reader gives the issuer's keys, where that can change the verdict. */
  readonly keyForm?: HTMLElement | undefined
  /** Where the reader gives a policy for the log. */
  readonly policyForm?: HTMLElement | undefined
  /** A button that copies an ID or a hash, placed after it. */
  readonly copyButton?: (value: string, name: string) => HTMLElement
}

/** Replaces what `place` contains with the result, and moves the focus to the verdict. */
export function showResult(
  place: HTMLElement,
  result: Result,
  verdict: Verdict,
  options: ResultOptions,
): void {
  const view = resultView(result, verdict, options)
  place.replaceChildren(view)
  view.firstElementChild?.scrollIntoView({ block: 'nearest' })
  view.querySelector<HTMLElement>('#verdict')?.focus({ preventScroll: true })
}

/** The one rendering of a result. result.css styles it. */
function resultView(result: Result, verdict: Verdict, options: ResultOptions): HTMLElement {
  const { errors } = verdict
  return element(
    'section',
    { class: 'card result', 'aria-labelledby': 'verdict', 'data-verdict': verdict.verdict },
    banner(verdict, result),
    claims(result, verdict.isProved, options),
    verdict.advice === undefined ? undefined : advice(verdict.advice),
    options.keyForm,
    logSection(result, options),
    provenanceSection(result),
    containedSection(result),
    titled('checks', 'Checks', checkList(verdict.checks)),
    titled('signer', 'Signature', factList(signatureFacts(result), options)),
    errors.length === 0 ? undefined : titled('errors', counted(errors.length, 'error'), errorList(errors)),
    actions(options),
  )
}

/** The verdict in one sentence, for a live region. */
export function spokenVerdict({ tone, heading, sentence }: Verdict): string {
  return `${tone === 'pass' ? '' : `${WORDS[tone]}: `}${heading.replace(/\.$/, '')}. ${sentence}`
}

/** What a person can do with a kit that is not verified. */
const WORDS = { warn: 'Not confirmed yet', fail: 'Do not rely on it' } as const

function banner({ tone, heading, status, sentence }: Verdict, result: Result): HTMLElement {
  return element(
    'div',
    { class: `verdict ${tone}` },
    element('span', { class: 'verdict-mark' }, icon(tone)),
    element(
      'div',
      {},
      element(
        'h2',
        {
          id: 'verdict',
          tabindex: '-1',
          'aria-describedby': 'verdict-sentence',
          'data-status': status ?? '',
        },
        element('span', { class: 'verdict-heading' }, heading),
        ' ',
        tone === 'pass' ? undefined : element('small', { class: 'verdict-word' }, WORDS[tone]),
      ),
      element('p', { id: 'verdict-sentence' }, sentence),
      element('p', { class: 'quiet' }, described(result)),
    ),
  )
}

const KINDS: Readonly<Record<Result['kind'], string>> = {
  zip: 'zip',
  folder: 'folder',
  receipt: 'receipt only',
}

function described({ name, kind, fileCount, sizeBytes, verifiedAt, tookMs }: Result): string {
  const files = kind === 'receipt' ? [] : [counted(fileCount, 'file')]
  const about = [KINDS[kind], ...files, formatBytes(sizeBytes)].join(', ')
  const seconds = Math.max(tookMs / 1000, 0.1).toFixed(1)
  return `${name} (${about}), checked ${instant(verifiedAt.toISOString())} in ${seconds} s`
}

function advice({ title, steps, link }: Advice): HTMLElement {
  const list =
    steps.length === 1
      ? element('p', {}, `${steps[0]} `, link === undefined ? undefined : outsideLink(link))
      : element('ol', {}, ...steps.map((step) => element('li', {}, step)))
  const section = titled('advice', title, list)
  section.classList.add('advice')
  return section
}

const CHECK_WORDS = { pass: 'pass', fail: 'FAIL', not_run: 'not run' } as const

function checkList(checks: readonly CheckResult[]): HTMLElement {
  const rows = checks.map(({ check, guarantee, result, why }) =>
    element(
      'li',
      { class: result, 'data-check': check },
      icon(result),
      element('span', { class: 'word' }, `${CHECK_WORDS[result]} `),
      element(
        'span',
        { class: 'what' },
        guarantee,
        why === undefined ? undefined : element('span', { class: 'why' }, why),
      ),
    ),
  )
  return element('ul', { class: 'checks' }, ...rows)
}

/** What the log adds, in the words of the engine. */
function logSection({ report }: Result, { policyForm }: ResultOptions): HTMLElement | undefined {
  const text = report.log?.text
  if (text === undefined) return policyForm
  const body = element(
    'div',
    {},
    element('p', { id: 'log-text' }, sentence(text)),
    report.time === undefined ? undefined : element('p', { id: 'time-text' }, sentence(report.time.text)),
    policyForm,
  )
  return titled('log', 'Log', body)
}

function provenanceSection(result: Result): HTMLElement | undefined {
  const body = provenanceView(result)
  return body && titled('provenance', 'Where the evidence came from', body)
}

const MAX_SHOWN_KITS = 50

/** The kits among the files, with the verdict on each. */
function containedSection({ report: { contains = [] } }: Result): HTMLElement | undefined {
  if (contains.length === 0) return undefined
  const rows = contains.slice(0, MAX_SHOWN_KITS).map(({ path, kit_id, issuer, verdict, anonymous }) => {
    const { colour, heading } = VERDICTS[verdict]
    const result = CONTAINED[colour]
    return element(
      'li',
      { class: result },
      icon(result),
      element('span', { class: 'word' }, `${CHECK_WORDS[result]} `),
      element(
        'span',
        { class: 'what' },
        `Kit ${kit_id ?? 'without a receipt'} of ${issuer ?? 'an unknown issuer'}: ${heading.replace(' on DATE', '')}`,
        element('span', { class: 'why' }, anonymous === true ? `${ANONYMOUS_CALLER} ${path}` : path),
      ),
    )
  })
  const hidden = contains.length - rows.length
  if (hidden > 0) rows.push(element('li', {}, `… and ${hidden} more. Save as JSON to see all.`))
  return titled('contains', 'Kits in this kit', element('ul', { class: 'checks' }, ...rows))
}

const CONTAINED = { green: 'pass', amber: 'not_run', red: 'fail' } as const

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const sentence = (text: string): string => `${capitalized(text)}.`

export interface ReceiptFact {
  readonly name: string
  readonly value: string
  readonly isCode?: boolean
}

function signatureFacts({ report, receipt }: Result): readonly ReceiptFact[] {
  const { kid } = report.signer
  return [
    kid === null ? { name: 'Key ID', value: 'unknown' } : { name: 'Key ID', value: kid, isCode: true },
    { name: 'Key', value: capitalized(keyText(report.signer)) },
    ...(receipt === undefined ? [] : receiptHashes(receipt)),
  ]
}

function claims({ receipt, origin }: Result, isProved: boolean, options: ResultOptions): HTMLElement {
  if (receipt === undefined)
    return titled('claims', 'Receipt', 'Missing or malformed. Kit, issuer and time are unknown.')
  const title = isProved ? 'Signed by the issuer' : 'What the kit says about itself, not proved'
  return titled('claims', title, factList(receiptFacts(receipt, origin, isProved), options))
}

export function receiptFacts(
  receipt: Receipt,
  origin: Origin = { supplier: null },
  isProved = false,
): readonly ReceiptFact[] {
  return [
    { name: 'Issuer', value: isProved ? receipt.issuer : `${receipt.issuer} (named in the kit)` },
    ...originFacts(origin, ({ name, ...by }) => `${name}, ${nameBasis(by, receipt.issuer, isProved)}`),
    { name: 'Name', value: receipt.scope },
    { name: 'Issued', value: instant(receipt.issued_at) },
    { name: 'Kit', value: receipt.kit_id, isCode: true },
  ]
}

function originFacts(
  { supplier, requested_by: requester, anonymous }: Origin,
  named: (workspace: Supplier) => string,
): readonly ReceiptFact[] {
  if (anonymous === true) return [{ name: 'Caller', value: ANONYMOUS_CALLER }]
  return [
    ...(supplier === null ? [] : [{ name: 'Supplier', value: named(supplier) }]),
    ...(supplier === null && requester !== undefined ? [{ name: 'Supplier', value: SUPPLIER_BY_LINK }] : []),
    ...(requester === undefined ? [] : [{ name: 'Requester', value: named(requester) }]),
  ]
}

export function receiptHashes(receipt: Receipt): readonly ReceiptFact[] {
  return [
    { name: 'Manifest SHA-256', value: receipt.manifest_sha256, isCode: true },
    { name: 'Root hash', value: receipt.manifest_root_hash, isCode: true },
  ]
}

function factList(facts: readonly ReceiptFact[], { copyButton }: ResultOptions): HTMLElement {
  const rows = facts.map(({ name, value, isCode = false }) => {
    const dd = isCode
      ? element('dd', {}, element('code', {}, value), copyButton?.(value, name))
      : element('dd', {}, value)
    return element('div', {}, element('dt', {}, name), dd)
  })
  return element('dl', { class: 'facts' }, ...rows)
}

/** A damaged kit can have a hundred thousand errors. */
const MAX_SHOWN_ERRORS = 200

function errorList(errors: readonly string[]): HTMLElement {
  const rows = errors.slice(0, MAX_SHOWN_ERRORS).map((error) => {
    const code = codeOf(error)
    return element('li', {}, element('code', {}, code), error.slice(code.length))
  })
  const hidden = errors.length - rows.length
  if (hidden > 0)
    rows.push(element('li', {}, `… and ${hidden.toLocaleString('en')} more. Save as JSON to see all.`))
  return element('ul', { class: 'errors' }, ...rows)
}

function actions({ saved, onAgain }: ResultOptions): HTMLElement {
  const again = onAgain === undefined ? undefined : button('again', 'Verify another', onAgain)
  again?.classList.add('primary')
  return element(
    'div',
    { class: 'result-actions' },
    again,
    button('print', 'Print', () => print()),
    button('save', 'Save as JSON', () => saveJson(saved.name, saved.json)),
  )
}

function button(id: string, text: string, onClick: () => void): HTMLElement {
  const created = element('button', { type: 'button', id, class: 'result-button' }, text)
  created.addEventListener('click', onClick)
  return created
}

function saveJson(name: string, json: unknown): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(json, null, 2)}\n`], { type: 'application/json' }),
  )
  element('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function titled(id: string, title: string, body: Node | string): HTMLElement {
  const heading = element('h3', { id: `${id}-title` }, title)
  return element('section', { 'aria-labelledby': heading.id }, heading, body)
}

const instant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
