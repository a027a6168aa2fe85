// docs/decisions/0335
import { sha256 } from '../src/crypto/sha256.ts'
import { utf8 } from '../src/encoding/utf8.ts'
import { parsePolicy } from '../src/log/tlog-policy.ts'
import { parseCertificates } from '../src/time/parse-certificates.ts'
import type { Trust } from '../src/trust.ts'
import { element } from './elements.ts'

/** What the reader asks of the proofs in a kit. */
export type GivenPolicy = Pick<Trust, 'logPolicy' | 'timePolicy'>

/** Where the reader gives a policy for the log, and roots of time-stamp authorities: a file, or its text. */
export function policyForm(onPolicy: (policy: GivenPolicy) => void): HTMLElement {
  const picker = element('input', {
    type: 'file',
    id: 'choose-policy',
    accept: '.policy,.txt,.pem,text/plain',
  })
  const text = element('textarea', {
    id: 'policy-text',
    rows: '5',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-describedby': 'policy-problem',
  })
  const problem = element('p', { id: 'policy-problem', role: 'alert' })
  picker.addEventListener('change', () => {
    const [file] = picker.files ?? []
    picker.value = ''
    if (file !== undefined && file.size > LIMIT_BYTES)
      problem.textContent = `${file.name} is too large for a policy.`
    else void file?.text().then((read) => (text.value = read))
  })
  text.addEventListener('input', () => (problem.textContent = ''))
  const form = element(
    'form',
    { novalidate: '', autocomplete: 'off' },
    element('p', {}, WHAT_IT_IS),
    element('p', {}, WITH_ROOTS),
    element(
      'span',
      { class: 'pick' },
      picker,
      element('label', { for: 'choose-policy' }, 'Choose the policy…'),
    ),
    element('label', { for: 'policy-text' }, 'Or paste it:'),
    text,
    problem,
    element('button', { id: 'check-policy', class: 'result-button primary' }, 'Check with this policy'),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const policy = parse(text.value)
    text.setAttribute('aria-invalid', String(typeof policy === 'string'))
    if (typeof policy !== 'string') return onPolicy(policy)
    problem.textContent = policy
    text.focus()
  })
  return element(
    'details',
    { class: 'policy-form' },
    element('summary', {}, 'Check the log, its witnesses and the time'),
    form,
  )
}

const LIMIT_BYTES = 10_000_000

const WHAT_IT_IS =
  'A policy lists the logs and witnesses that you trust, and how many witnesses must have seen the kit. It counts only if you got it from somewhere other than this kit.'

const WITH_ROOTS =
  'To require a time-stamp too, add the root certificates of the time-stamp authorities that you trust (PEM) below the policy, or give them alone.'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** The policy and the roots, or what is wrong with them. */
function parse(text: string): GivenPolicy | string {
  if (text.trim() === '') return 'Choose a policy, or paste one.'
  try {
    const certificates = text.match(CERTIFICATE) ?? []
    const rest = text.replaceAll(CERTIFICATE, '')
    return {
      // Pasting often loses the last line feed.
      logPolicy:
        certificates.length > 0 && rest.trim() === ''
          ? undefined
          : parsePolicy(utf8(rest.endsWith('\n') ? rest : `${rest}\n`), sha256),
      timePolicy:
        certificates.length === 0 ? undefined : { roots: parseCertificates(utf8(certificates.join('\n'))) },
    }
  } catch (error) {
    return `This is not a policy: ${error instanceof Error ? error.message : String(error)}.`
  }
}
