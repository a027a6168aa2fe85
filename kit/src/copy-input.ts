/** A copy of data that the caller owns and may change later. Taken before the first `await`. */
export function copyInput<T>(value: T): T {
  return copy(value) as T
}

function copy(value: unknown): unknown {
  if (value instanceof Uint8Array) return copyBytes(value)
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]))
}

/** Not slice(), which does not copy a Buffer. */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
