// docs/decisions/0311
import { sameBytes } from '../src/encoding/utf8.ts'
import type { Parsed } from '../src/parsing.ts'
import type { TrustedKeySet } from '../src/trust.ts'
import { counted, element, outsideLink } from './elements.ts'
import { type KeySetFile, readKeyIds, readKeySet } from './trusted-keys.ts'

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
  let chosen: { readonly name: string; readonly file: Parsed<KeySetFile> } | undefined
  const kidField = element('input', { type: 'text', id: 'kid', ...PLAIN_TEXT })
  const picker = element('input', { type: 'file', id: 'choose-keys', accept: '.json,.jwks,application/json' })
  const chosenText = element('p', { id: 'chosen-keys', hidden: '' })
  const confirmed = element('input', { type: 'checkbox', id: 'confirmed' })
  const problem = element('p', { id: 'key-problem', role: 'alert' })

  const choose = async (file: File): Promise<void> => {
    chosen = { name: file.name, file: await readKeySet(file) }
    onChange()
    chosenText.hidden = false
    chosenText.replaceChildren(element('strong', {}, file.name), ` ${describe(chosen.file)}.`)
    if (chosen.file.ok && kitKeySet !== undefined && sameBytes(chosen.file.value.bytes, kitKeySet))
      chosenText.append(element('strong', {}, ` ${KITS_COPY}`))
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
        `${chosen.name} ${describe(chosen.file)}. Choose the file that the issuer publishes.`,
      )
    const source = 'confirmed' as const
    const keySets = chosen === undefined ? [] : [{ ...chosen.file.value.set, source, issuer }]
    if (keySets.length + kids.value.length === 0) return reject(picker, NOTHING_GIVEN)
    if (!confirmed.checked) return reject(confirmed, NOT_CONFIRMED)
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
    element('h3', { id: 'key-form-title' }, 'Confirm the sender'),
    whereToGetKeys(issuer),
    element(
      'span',
      { class: 'pick' },
      picker,
      element('label', { for: 'choose-keys' }, 'Choose the key set…'),
    ),
    chosenText,
    element(
      'label',
      { for: 'kid' },
      'Or enter a key ID that the issuer gave you, for example by phone or in a contract:',
    ),
    kidField,
    element('label', { class: 'tick', for: 'confirmed' }, confirmed, CONFIRMATION),
    problem,
    element('button', { id: 'check-again', class: 'result-button primary' }, 'Check again'),
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
  placeholder: '43 characters',
  'aria-describedby': 'key-problem',
}

const CONFIRMATION = 'I got this from the issuer, not from this kit or the message it came with.'

const NOTHING_GIVEN = 'Choose the issuer’s key set, or enter a key ID.'

const NOT_CONFIRMED =
  'Where is it from? Tick the box if you got it from the issuer. A key from the kit proves nothing.'

const KITS_COPY =
  'This file is identical to the one in the kit. If you took it from there, it proves nothing.'

function whereToGetKeys(issuer: string): HTMLElement {
  const url = keySetUrl(issuer)
  if (url === undefined)
    return element('p', {}, 'Ask the issuer for its key set, a JSON file, and choose it here.')
  return element(
    'p',
    {},
    'Do you know this address as the issuer’s? Then open ',
    outsideLink(url),
    ', save the page as a file, and choose that file here.',
  )
}

/** Shows the host in ASCII, so that letters of another script cannot imitate a name. */
function keySetUrl(issuer: string): string | undefined {
  if (!/^https?:/.test(issuer) || !URL.canParse(issuer)) return undefined
  return `${new URL(issuer).href.replace(/\/$/, '')}/.well-known/jwks.json`
}

function describe(file: Parsed<KeySetFile>): string {
  if (!file.ok) return file.problems.join('; ')
  const { keys, refused } = file.value.set
  const why = refused.map((key) => `; rejected: ${key.kid ?? 'a key without a kid'} ${key.why}`)
  return (
    (keys.length === 0 ? 'contains no Ed25519 key' : `contains ${counted(keys.length, 'key')}`) + why.join('')
  )
}
