import { sameBytes } from '../src/encoding/bytes.ts'
import type { Parsed } from '../src/parsing.ts'
import type { TrustedKeySet } from '../src/trust.ts'
import { element, filePicker, outsideLink, plainText } from './elements.ts'
import { type KeySetFile, readKeyIds, readKeySet } from './trusted-keys.ts'
import { reasonText, sentences, t } from './words.ts'

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
  const kidField = element('input', {
    type: 'text',
    id: 'kid',
    placeholder: t('view.keyForm.placeholder'),
    ...plainText('key-problem'),
  })
  const chosenText = element('p', { id: 'chosen-keys', hidden: '' })
  const confirmed = element('input', { type: 'checkbox', id: 'confirmed' })
  const problem = element('p', { id: 'key-problem', role: 'alert' })

  const choose = async (file: File): Promise<void> => {
    chosen = { name: file.name, file: await readKeySet(file) }
    onChange()
    chosenText.hidden = false
    chosenText.replaceChildren(
      element('strong', {}, file.name),
      t('view.sentence', { text: ` ${describe(chosen.file)}` }),
    )
    if (chosen.file.ok && kitKeySet !== undefined && sameBytes(chosen.file.value.bytes, kitKeySet))
      chosenText.append(element('strong', {}, ` ${t('view.keyForm.kitsCopy')}`))
  }
  const accepted = '.json,.jwks,application/json'
  const { input: picker, button } = filePicker('choose-keys', accepted, t('view.keyForm.choose'), (file) => {
    void choose(file)
  })
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
          t('view.sentence', { text: `${chosen.name} ${describe(chosen.file)}` }),
          t('view.keyForm.wrongFile'),
        ]),
      )
    const source = 'confirmed' as const
    const keySets = chosen === undefined ? [] : [{ ...chosen.file.value.set, source, issuer }]
    if (keySets.length + kids.value.length === 0) return reject(picker, t('view.keyForm.nothing'))
    if (!confirmed.checked) return reject(confirmed, t('view.keyForm.notConfirmed'))
    onKeys({ keySets, kids: kids.value })
  }
  const reject = (place: HTMLElement, why: string): void => {
    problem.textContent = why
    place.focus()
  }

  kidField.addEventListener('input', onChange)
  const form = element(
    'form',
    { class: 'key-form', novalidate: '', autocomplete: 'off', 'aria-labelledby': 'key-form-title' },
    element('h3', { id: 'key-form-title' }, t('view.keyForm.title')),
    whereToGetKeys(issuer),
    button,
    chosenText,
    element('label', { for: 'kid' }, t('view.keyForm.enter')),
    kidField,
    element('label', { class: 'tick', for: 'confirmed' }, confirmed, t('view.keyForm.confirmation')),
    problem,
    element('button', { id: 'check-again', class: 'result-button primary' }, t('view.keyForm.check')),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
  })
  return { element: form, choose }
}

function whereToGetKeys(issuer: string): HTMLElement {
  const url = keySetUrl(issuer)
  if (url === undefined) return element('p', {}, t('view.keyForm.ask'))
  return element('p', {}, t('view.keyForm.open.0'), outsideLink(url), t('view.keyForm.open.1'))
}

/** Shows the host in ASCII, so that letters of another script cannot imitate a name. */
function keySetUrl(issuer: string): string | undefined {
  if (!/^https?:/.test(issuer) || !URL.canParse(issuer)) return undefined
  return `${new URL(issuer).href.replace(/\/$/, '')}/.well-known/jwks.json`
}

function describe(file: Parsed<KeySetFile>): string {
  if (!file.ok) return file.problems.join('; ')
  const { keys, refused } = file.value.set
  const rejected = refused.map(({ kid, why }) =>
    t('view.keyForm.rejected', { key: kid ?? t('view.keyForm.noKid'), why: reasonText(why.text, why) }),
  )
  return (
    (keys.length === 0 ? t('view.keyForm.noKey') : t('view.keyForm.keys', { count: keys.length })) +
    rejected.join('')
  )
}
