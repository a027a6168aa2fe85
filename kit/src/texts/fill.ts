/**
 * Replaces `{name}` in a text.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { fill } from '@kitseal/kit'
 *
 * assert.equal(fill('Sealed by {who}', { who: 'Acme' }), 'Sealed by Acme')
 * ```
 */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
