// docs/decisions/0359
import { sha256 } from '../src/crypto/sha256.ts'
import { utf8 } from '../src/encoding/utf8.ts'
import { type LogPolicy, parsePolicy } from '../src/log/tlog-policy.ts'
import { element } from './elements.ts'

/** Where the reader gives a policy for the log: a file, or its text. */
export function policyForm(onPolicy: (policy: LogPolicy) => void): HTMLElement {
  const picker = element('input', { type: 'file', id: 'choose-policy', accept: '.policy,.txt,text/plain' })
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
    element('summary', {}, 'Check the log and its witnesses'),
    form,
  )
}

const LIMIT_BYTES = 1_000_000

const WHAT_IT_IS =
  'A policy lists the logs and witnesses that you trust, and how many witnesses must have seen the kit. It counts only if you got it from somewhere other than this kit.'

/** The policy, or what is wrong with it. */
function parse(text: string): LogPolicy | string {
  if (text.trim() === '') return 'Choose a policy, or paste one.'
  try {
    // Pasting often loses the last line feed.
    return parsePolicy(utf8(text.endsWith('\n') ? text : `${text}\n`), sha256)
  } catch (error) {
    return `This is not a policy: ${error instanceof Error ? error.message : String(error)}.`
  }
}
