import { LABEL } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'

const ALLOWED = new RegExp(LABEL.pattern, 'u')

/** A workspace name as it is stored and sealed: NFC, without white space around it. Throws if it is not allowed. */
export function workspaceName(text: string): string {
  const name = text.toWellFormed().normalize('NFC').trim()
  const length = Array.from(name).length
  if (length < LABEL.minLength || length > LABEL.maxLength || !ALLOWED.test(name))
    throw new Refusal(
      'body_invalid',
      'A workspace name must be one line of 1 to 200 characters without control or bidirectional characters.',
      { param: 'name' },
    )
  return name
}
