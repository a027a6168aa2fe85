import { sameBytes } from '../src/encoding/bytes.ts'
import type { Parsed } from '../src/parsing.ts'
import type { TrustedKeySet } from '../src/trust.ts'
import { fill } from '../src/texts/fill.ts'
import { element, outsideLink } from './elements.ts'
import { type KeySetFile, readKeyIds, readKeySet } from './trusted-keys.ts'
import { counted, reasonText, sentences, words } from './words.ts'

/** Keys that the reader gave, and confirmed to be from the issuer. */
export interface GivenKeys {
  readonly keySets: readonly TrustedKeySet[]
  readonly kids: readonly string[]
}

export interface KeyForm {
  readonly element: HTMLElement
  /** Takes a dropped file, as if it had been chosen. */
  choose(file: File): Promise<void>
}

export interface KeyFormOptions {
  /** The issuer that the receipt names. */
  readonly issuer: string
  /** The copy in the kit, to warn the reader about a file that is identical to it. */
  readonly kitKeySet: Uint8Array | undefined
  onKeys(given: GivenKeys): void
}

/** Where the reader gives the issuer's keys and states that they are not from the kit. Before that, nothing is trusted. */
export function keyForm({ issuer, kitKeySet, onKeys }: KeyFormOptions): KeyForm {
  const t = words.view.keyForm
  let chosen: { readonly name: string; readonly file: Parsed<KeySetFile> } | undefined
  const kidField = element('input', { type: 'text', id: 'kid', placeholder: t.placeholder, ...PLAIN_TEXT })
  const picker = element('input', { type: 'file', id: 'choose-keys', accept: '.json,.jwks,application/json' })
  const chosenText = element('p', { id: 'chosen-keys', hidden: '' })
  const confirmed = element('input', { type: 'checkbox', id: 'confirmed' })
  const problem = element('p', { id: 'key-problem', role: 'alert' })

  const choose = async (file: File): Promise<void> => {
    chosen = { name: file.name, file: await readKeySet(file) }
    onChange()
    chosenText.hidden = false
    chosenText.replaceChildren(
      element('strong', {}, file.name),
      fill(words.view.sentence, { text: ` ${describe(chosen.file)}` }),
    )
    if (chosen.file.ok && kitKeySet !== undefined && sameBytes(chosen.file.value.bytes, kitKeySet))
      chosenText.append(element('strong', {}, ` ${t.kitsCopy}`))
  }
  const onChange = (): void => {
    confirmed.checked = false
    problem.textContent = ''
  }
  const submit = (): void => {
    const kids = readKeyIds(kidField.value)
    kidField.setAttribute('aria-invalid', String(!kids.ok))
    if (!kids.ok) return reject(kidField, kids.problems.join(' '))
    if (chosen?.file.ok === false)
      return reject(
        picker,
        sentences([
          fill(words.view.sentence, { text: `${chosen.name} ${describe(chosen.file)}` }),
          t.wrongFile,
        ]),
      )
    const source = 'confirmed' as const
    const keySets = chosen === undefined ? [] : [{ ...chosen.file.value.set, source, issuer }]
    if (keySets.length + kids.value.length === 0) return reject(picker, t.nothing)
    if (!confirmed.checked) return reject(confirmed, t.notConfirmed)
    onKeys({ keySets, kids: kids.value })
  }
  const reject = (place: HTMLElement, why: string): void => {
    problem.textContent = why
    place.focus()
  }

  picker.addEventListener('change', () => {
    const file = picker.files?.[0]
    if (file !== undefined) void choose(file)
    picker.value = ''
  })
  kidField.addEventListener('input', onChange)
  const form = element(
    'form',
    { class: 'key-form', novalidate: '', autocomplete: 'off', 'aria-labelledby': 'key-form-title' },
    element('h3', { id: 'key-form-title' }, t.title),
    whereToGetKeys(issuer),
    element('span', { class: 'pick' }, picker, element('label', { for: 'choose-keys' }, t.choose)),
    chosenText,
    element('label', { for: 'kid' }, t.enter),
    kidField,
    element('label', { class: 'tick', for: 'confirmed' }, confirmed, t.confirmation),
    problem,
    element('button', { id: 'check-again', class: 'result-button primary' }, t.check),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
  })
  return { element: form, choose }
}

const PLAIN_TEXT = {
  spellcheck: 'false',
  autocapitalize: 'off',
  autocomplete: 'off',
  'aria-describedby': 'key-problem',
}

function whereToGetKeys(issuer: string): HTMLElement {
  const { ask, open } = words.view.keyForm
  const url = keySetUrl(issuer)
  if (url === undefined) return element('p', {}, ask)
  return element('p', {}, open[0] ?? '', outsideLink(url), open[1] ?? '')
}

/** Shows the host in ASCII, so that letters of another script cannot imitate a name. */
function keySetUrl(issuer: string): string | undefined {
  if (!/^https?:/.test(issuer) || !URL.canParse(issuer)) return undefined
  return `${new URL(issuer).href.replace(/\/$/, '')}/.well-known/jwks.json`
}

function describe(file: Parsed<KeySetFile>): string {
  if (!file.ok) return file.problems.join('; ')
  const { keys, refused } = file.value.set
  const t = words.view.keyForm
  const rejected = refused.map(({ kid, why }) =>
    fill(t.rejected, { key: kid ?? t.noKid, why: reasonText(why) }),
  )
  return (keys.length === 0 ? t.noKey : counted(keys.length, t.keys)) + rejected.join('')
}
