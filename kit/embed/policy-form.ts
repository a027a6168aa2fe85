import { sha256 } from '../src/crypto/sha256.ts'
import { utf8 } from '../src/encoding/bytes.ts'
import { parsePolicy } from '../src/log/tlog-policy.ts'
import { parseCertificates } from '../src/time/certificate.ts'
import type { Trust } from '../src/trust.ts'
import { element, filePicker, plainText } from './elements.ts'
import { t } from './words.ts'

/** What the reader asks of the proofs in a kit. */
export type GivenPolicy = Pick<Trust, 'logPolicy' | 'timePolicy'>

/** Where the reader gives a policy for the log, and roots of time-stamp authorities: a file, or its text. */
export function policyForm(onPolicy: (policy: GivenPolicy) => void): HTMLElement {
  const text = element('textarea', { id: 'policy-text', rows: '5', ...plainText('policy-problem') })
  const problem = element('p', { id: 'policy-problem', role: 'alert' })
  const choose = (file: File): void => {
    if (file.size > LIMIT_BYTES) problem.textContent = t('view.policyForm.tooLarge', { name: file.name })
    else void file.text().then((read) => (text.value = read))
  }
  text.addEventListener('input', () => (problem.textContent = ''))
  const form = element(
    'form',
    { novalidate: '', autocomplete: 'off' },
    element('p', {}, t('view.policyForm.what')),
    element('p', {}, t('view.policyForm.roots')),
    filePicker('choose-policy', '.policy,.txt,.pem,text/plain', t('view.policyForm.choose'), choose).button,
    element('label', { for: 'policy-text' }, t('view.policyForm.paste')),
    text,
    problem,
    element('button', { id: 'check-policy', class: 'result-button primary' }, t('view.policyForm.check')),
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
    element('summary', {}, t('view.policyForm.title')),
    form,
  )
}

const LIMIT_BYTES = 10_000_000

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** The policy and the roots, or what is wrong with them. */
function parse(text: string): GivenPolicy | string {
  if (text.trim() === '') return t('view.policyForm.nothing')
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
    return t('view.policyForm.notPolicy', {
      why: error instanceof Error ? error.message : String(error),
    })
  }
}
