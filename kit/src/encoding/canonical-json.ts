import type { JsonObject, JsonValue } from './strict-json.ts'

/**
 * Serializes a value as canonical JSON (RFC 8785). Throws for anything that is not JSON: undefined, functions,
 * NaN, unpaired surrogates.
 */
export function canonicalJson(value: JsonValue): string {
  if (isOrdered(value)) return JSON.stringify(value)
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`this ${typeof value} has no canonical form`)
  return isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : canonicalObject(value)
}

/** Whether it is JSON, and the members of all objects are in order. Then JSON.stringify() returns the canonical form, and is faster. */
function isOrdered(value: JsonValue): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
    case 'number':
      return Number.isFinite(value)
    case 'boolean':
      return true
    case 'object': {
      if (value === null) return true
      // Loops, because the closures of every() take longer than the comparisons.
      if (isArray(value)) {
        for (const item of value) if (!isOrdered(item)) return false
        return true
      }
      let before = ''
      for (const name of Object.keys(value)) {
        // The comparison is by UTF-16 code units, as RFC 8785 requires.
        if (name < before || !isOrdered(name) || !isOrdered(value[name]!)) return false
        before = name
      }
      return true
    }
    default:
      return false
  }
}

function canonicalObject(object: JsonObject): string {
  const members = Object.keys(object)
    .toSorted()
    .map((name) => `${canonicalJson(name)}:${canonicalJson(object[name]!)}`)
  return `{${members.join(',')}}`
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}
