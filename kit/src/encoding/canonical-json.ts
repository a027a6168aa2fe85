import type { JsonValue } from './strict-json.ts'

/**
 * Serializes a value as canonical JSON (RFC 8785). Throws for anything that is not JSON: undefined, functions,
 * NaN, unpaired surrogates.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { canonicalJson } from '@kitseal/kit'
 *
 * assert.equal(canonicalJson({ b: 1, a: [true, null] }), '{"a":[true,null],"b":1}')
 * ```
 */
export function canonicalJson(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('an unpaired surrogate has no canonical form')
      return JSON.stringify(value)
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`)
      return JSON.stringify(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      return isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : canonicalObject(value)
    default:
      throw new TypeError(`${typeof value} has no canonical form`)
  }
}

function canonicalObject(object: { readonly [name: string]: JsonValue }): string {
  // The default sort compares UTF-16 code units, as RFC 8785 requires.
  const members = Object.keys(object)
    .toSorted()
    .map((name) => `${canonicalJson(name)}:${canonicalJson(object[name] as JsonValue)}`)
  return `{${members.join(',')}}`
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}
