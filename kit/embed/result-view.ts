import { nameBasis, type Origin, type Supplier } from '../src/claims.ts'
import { describeProvenance, type ProvenanceGroup } from '../src/provenance-text.ts'
import type { Receipt } from '../src/receipt.ts'
import type { CheckResult } from '../src/report.ts'
import { keyText } from '../src/verdicts.ts'
import { element, icon, outsideLink } from './elements.ts'
import { type Advice, codeOf, type Result, type Verdict } from './verdict.ts'
import { known, language, joinList, reasonText, sentences, sizeText, t } from './words.ts'

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
    titled('checks', t('view.checks'), checkList(verdict.checks)),
    titled('signer', t('view.signature'), factList(signatureFacts(result), options)),
    errors.length === 0
      ? undefined
      : titled('errors', t('view.errors', { count: errors.length }), errorList(errors)),
    actions(options),
  )
}

/** The verdict in one sentence, for a live region. */
export function spokenVerdict({ tone, heading, sentence }: Verdict): string {
  const verdict = t('view.sentence', { text: heading.replace(/[.。]$/, '') })
  return `${tone === 'pass' ? '' : `${t(`view.words.${tone}`)}: `}${sentences([verdict, sentence])}`
}

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
        tone === 'pass' ? undefined : element('small', { class: 'verdict-word' }, t(`view.words.${tone}`)),
      ),
      element('p', { id: 'verdict-sentence' }, sentence),
      element('p', { class: 'quiet' }, described(result)),
    ),
  )
}

function described({ name, kind, fileCount, sizeBytes, verifiedAt, tookMs }: Result): string {
  const files = kind === 'receipt' ? [] : [t('view.files', { count: fileCount })]
  const about = joinList([t(`view.kinds.${kind}`), ...files, sizeText(sizeBytes)])
  const seconds = Math.max(tookMs / 1000, 0.1).toLocaleString(language(), ONE_DIGIT)
  return t('view.checked', { name, about, time: instant(verifiedAt.toISOString()), seconds })
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

function checkList(checks: readonly CheckResult[]): HTMLElement {
  const rows = checks.map(({ check, guarantee, result, why, why_message }) =>
    element(
      'li',
      { class: result, 'data-check': check },
      icon(result),
      element('span', { class: 'word' }, `${t(`view.results.${result}`)} `),
      element(
        'span',
        { class: 'what' },
        known(`checks.${check}`) ?? guarantee,
        why === undefined ? undefined : element('span', { class: 'why' }, reasonText(why, why_message)),
      ),
    ),
  )
  return element('ul', { class: 'checks' }, ...rows)
}

/** What the log adds, in the words of the engine. */
function logSection({ report }: Result, { policyForm }: ResultOptions): HTMLElement | undefined {
  const { log, time } = report
  if (log === undefined) return policyForm
  const body = element(
    'div',
    {},
    element('p', { id: 'log-text' }, sentence(reasonText(log.text, log.text_message))),
    time === undefined
      ? undefined
      : element('p', { id: 'time-text' }, sentence(reasonText(time.text, time.text_message))),
    policyForm,
  )
  return titled('log', t('view.log'), body)
}

const MAX_SHOWN_LINES = 50

/** Where the evidence came from. What is verified and what is stated differ in heading, word and mark. */
function provenanceSection({ report, receipt }: Result): HTMLElement | undefined {
  const { provenance } = report
  if (provenance === undefined || receipt === undefined) return undefined
  const { entries, problem, confirmed } = provenance
  const groups = describeProvenance(entries, receipt.issuer, confirmed, t)
  if (problem === null && groups.length === 0) return undefined
  const body = element('div', { class: 'provenance' }, ...groups.flatMap(provenanceGroup))
  if (problem !== null) body.append(element('p', {}, t('view.notShown', { why: problem })))
  return titled('provenance', t('view.provenance'), body)
}

function provenanceGroup({ is, heading, mark, lines }: ProvenanceGroup): readonly HTMLElement[] {
  const rows = lines
    .slice(0, MAX_SHOWN_LINES)
    .map(({ files, text }) =>
      element(
        'li',
        {},
        element('span', { class: 'mark', 'aria-hidden': 'true' }, mark),
        element('span', { class: 'word' }, `${t(`view.statements.${is}`)} `),
        element('span', { class: 'what' }, text, element('span', { class: 'why' }, files)),
      ),
    )
  const hidden = lines.length - rows.length
  if (hidden > 0) rows.push(element('li', {}, t('view.more', { count: String(hidden) })))
  return [element('h4', {}, heading), element('ul', { class: `checks ${is}` }, ...rows)]
}

/** In Japanese, a sentence can begin with an address, which stays as it is. */
const capitalized = (text: string): string =>
  text.startsWith('http') ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const sentence = (text: string): string => t('view.sentence', { text: capitalized(text) })

export interface ReceiptFact {
  readonly name: string
  readonly value: string
  readonly isCode?: boolean
}

function signatureFacts({ report, receipt }: Result): readonly ReceiptFact[] {
  const { kid } = report.signer
  return [
    kid === null
      ? { name: t('view.keyId'), value: t('view.unknown') }
      : { name: t('view.keyId'), value: kid, isCode: true },
    { name: t('view.key'), value: capitalized(keyText(report.signer, t)) },
    ...(receipt === undefined ? [] : receiptHashes(receipt)),
  ]
}

function claims({ receipt, origin }: Result, isProved: boolean, options: ResultOptions): HTMLElement {
  if (receipt === undefined) return titled('claims', t('view.receipt'), t('view.noReceipt'))
  const title = isProved ? t('view.proved') : t('view.notProved')
  return titled('claims', title, factList(receiptFacts(receipt, origin, isProved), options))
}

export function receiptFacts(
  receipt: Receipt,
  origin: Origin = { supplier: null },
  isProved = false,
): readonly ReceiptFact[] {
  return [
    {
      name: t('view.issuer'),
      value: isProved ? receipt.issuer : t('view.namedInKit', { issuer: receipt.issuer }),
    },
    ...originFacts(origin, ({ name, ...by }) => joinList([name, nameBasis(by, receipt.issuer, isProved, t)])),
    { name: t('view.name'), value: receipt.scope },
    { name: t('view.issued'), value: instant(receipt.issued_at) },
    { name: t('view.kit'), value: receipt.kit_id, isCode: true },
  ]
}

function originFacts(
  { supplier, requested_by: requester, anonymous }: Origin,
  named: (workspace: Supplier) => string,
): readonly ReceiptFact[] {
  if (anonymous === true) return [{ name: t('view.caller'), value: t('kit.anonymous') }]
  return [
    ...(supplier === null ? [] : [{ name: t('view.supplier'), value: named(supplier) }]),
    ...(supplier === null && requester !== undefined
      ? [{ name: t('view.supplier'), value: t('kit.byLink') }]
      : []),
    ...(requester === undefined ? [] : [{ name: t('view.requester'), value: named(requester) }]),
  ]
}

export function receiptHashes(receipt: Receipt): readonly ReceiptFact[] {
  return [
    { name: t('view.manifestHash'), value: receipt.manifest_sha256, isCode: true },
    { name: t('view.rootHash'), value: receipt.manifest_root_hash, isCode: true },
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

function errorList(errors: Verdict['errors']): HTMLElement {
  const rows = errors.slice(0, MAX_SHOWN_ERRORS).map(({ error, message }) => {
    const code = codeOf(error)
    return element(
      'li',
      {},
      element('code', {}, code),
      ': ',
      reasonText(error.slice(code.length + 2), message),
    )
  })
  const hidden = errors.length - rows.length
  if (hidden > 0) rows.push(element('li', {}, t('view.more', { count: hidden.toLocaleString(language()) })))
  return element('ul', { class: 'errors' }, ...rows)
}

function actions({ saved, onAgain }: ResultOptions): HTMLElement {
  const again = onAgain === undefined ? undefined : button('again', t('view.again'), onAgain)
  again?.classList.add('primary')
  return element(
    'div',
    { class: 'result-actions' },
    again,
    button('print', t('view.print'), () => print()),
    button('save', t('view.save'), () => saveJson(saved.name, saved.json)),
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

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

const instant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
