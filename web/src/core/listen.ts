/** Handles events that reach the window, until the returned function is called. */
export function listen(types: readonly string[], handle: (event: Event) => void): () => void {
  const stop = new AbortController()
  for (const type of types) addEventListener(type, handle, { signal: stop.signal })
  return () => stop.abort()
}
