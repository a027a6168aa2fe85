export interface FetchOptions {
  readonly limitBytes: number
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The error for a larger body. */
  readonly tooLarge: () => Error
  /** The error for a status other than 200 and 404. */
  readonly refused?: (response: Response) => Error
}

/** Downloads at most `limitBytes`, without following redirects. Undefined for 404. */
export async function fetchBody(
  url: string,
  { limitBytes, headers = {}, tooLarge, refused, ...options }: FetchOptions,
): Promise<Uint8Array | undefined> {
  const request = new AbortController()
  const signal = AbortSignal.any([request.signal, options.signal])
  try {
    const response = await fetch(url, { signal, redirect: 'error', headers })
    if (response.status === 404) return undefined
    if (!response.ok) throw refused?.(response) ?? new Error(`status ${response.status}`)
    const parts: Uint8Array[] = []
    let total = 0
    for await (const part of response.body ?? []) {
      total += part.length
      if (total > limitBytes) throw tooLarge()
      parts.push(part)
    }
    return new Uint8Array(Buffer.concat(parts))
  } finally {
    // Closes the connection if the body was not read to the end.
    request.abort()
  }
}
