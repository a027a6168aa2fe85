import { formatBytes } from '../src/format-bytes.ts'
import type { Receipt } from '../src/receipt.ts'
import type { CheckResult, SignerReport } from '../src/report.ts'
import { counted, element, icon } from './elements.ts'
import { type Advice, codeOf, isTrusted, type Result, type Verdict } from './verdict.ts'

export interface ResultOptions {
  /** The JSON file behind “Save as JSON”. */
  readonly saved: { readonly name: string; readonly json: unknown }
  /** Shown as “Verify another”, where given. */
  readonly onAgain?: (() => void) | undefined
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
  const { report, receipt, keysFrom, keySetIsKitsCopy } = result
  const { errors } = verdict
  return element(
    'section',
    { class: 'card result', 'aria-labelledby': 'verdict', 'data-verdict': verdict.verdict },
    banner(verdict, result),
    keySetIsKitsCopy && report.signer.trust === 'kit' ? copyWarning() : undefined,
    verdict.advice === undefined ? undefined : advice(verdict.advice),
    titled('checks', 'Checks', checkList(verdict.checks)),
    titled('signer', 'Signer', factList(signerFacts(report.signer, keysFrom), options)),
    claims(receipt, isProved(result), options),
    errors.length === 0 ? undefined : titled('errors', counted(errors.length, 'error'), errorList(errors)),
    actions(options),
  )
}

/** The verdict in one sentence, for a live region. */
export function spokenVerdict({ word, qualifier, sentence }: Verdict): string {
  return `${word}${qualifier === undefined ? '' : `, ${qualifier}`}. ${sentence}`
}

function banner({ tone, word, qualifier, sentence }: Verdict, result: Result): HTMLElement {
  return element(
    'div',
    { class: `verdict ${tone}` },
    element('span', { class: 'verdict-mark' }, icon(tone)),
    element(
      'div',
      {},
      element(
        'h2',
        { id: 'verdict', tabindex: '-1', 'aria-describedby': 'verdict-sentence' },
        element('span', { class: 'verdict-word' }, word),
        qualifier === undefined ? undefined : element('small', {}, ` ${qualifier}`),
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

function copyWarning(): HTMLElement {
  return element(
    'p',
    { class: 'result-notice' },
    element('strong', {}, 'Where did you get this key set? '),
    'It is identical to the copy inside this kit, so it does not confirm the sender: a forged kit contains forged keys. Get the key set from the issuer, or enter a key ID that you received another way.',
  )
}

function advice({ title, steps }: Advice): HTMLElement {
  const list =
    steps.length === 1
      ? element('p', {}, steps[0])
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

export interface ReceiptFact {
  readonly name: string
  readonly value: string
  readonly isCode?: boolean
}

function signerFacts({ kid, trust }: SignerReport, keysFrom: Result['keysFrom']): readonly ReceiptFact[] {
  const words: Readonly<Record<SignerReport['trust'], string>> = {
    pinned: 'trusted: you provided its key ID',
    jwks: `trusted: it is in the key set that ${keysFrom === 'user' ? 'you provided' : 'this service publishes'}`,
    kit: 'NOT CHECKED: the key came with the kit',
    none: 'not trusted',
  }
  return [
    kid === null ? { name: 'Key ID', value: 'unknown' } : { name: 'Key ID', value: kid, isCode: true },
    { name: 'Trust', value: words[trust] },
  ]
}

/** Whether a trusted key signed what the receipt says. */
const isProved = ({ report }: Result): boolean =>
  isTrusted(report) && report.ed25519_signature_valid && report.receipt_canonical_hash_valid

function claims(receipt: Receipt | undefined, proved: boolean, options: ResultOptions): HTMLElement {
  if (receipt === undefined)
    return titled('claims', 'Receipt', 'Missing or malformed. Kit, issuer and time are unknown.')
  const title = proved ? 'Signed receipt' : 'Receipt (not confirmed by a trusted signature)'
  return titled('claims', title, factList(receiptFacts(receipt), options))
}

export function receiptFacts(receipt: Receipt): readonly ReceiptFact[] {
  return [
    { name: 'Kit', value: receipt.kit_id, isCode: true },
    { name: 'Scope', value: receipt.scope },
    { name: 'Issuer', value: receipt.issuer },
    { name: 'Issued', value: instant(receipt.issued_at) },
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
