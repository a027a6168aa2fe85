export interface PostOptions {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
  /** Of the answer. */
  readonly limitBytes: number
  readonly signal: AbortSignal
}

export interface Reply {
  readonly status: number
  /** Without parameters. */
  readonly type: string
  readonly body: Uint8Array
}

/** Posts to a service that nobody has to trust. Redirects are not followed. A string says what went wrong. */
export async function postLimited(url: string, options: PostOptions): Promise<Reply | string> {
  const { body, headers, limitBytes, signal: interrupted } = options
  const request = new AbortController()
  const signal = AbortSignal.any([request.signal, interrupted])
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      signal,
      redirect: 'manual',
      headers: { 'accept-encoding': 'identity', ...headers },
    })
    const parts: Uint8Array[] = []
    let total = 0
    for await (const part of response.body ?? []) {
      total += part.length
      if (total > limitBytes) return `it returned more than ${limitBytes} bytes`
      parts.push(part)
    }
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    return { status: response.status, type: type.trim().toLowerCase(), body: Buffer.concat(parts) }
  } catch (error) {
    if (interrupted.aborted) return 'it did not answer in time'
    const { message, cause } = error as Error
    return `it cannot be reached: ${cause instanceof Error && cause.message !== '' ? cause.message : message}`
  } finally {
    // Closes the connection if the body was not read to the end.
    request.abort()
  }
}

/** Some words of the answer for the operator, without control characters. */
export function describeReply(
  { status, body }: Pick<Reply, 'status' | 'body'>,
  whereUrl = 'the policy',
): string {
  if (status >= 300 && status < 400)
    return `it returned ${status}, a redirect. Correct its URL in ${whereUrl}.`
  const words = Buffer.from(body.subarray(0, 200))
    .toString()
    .replaceAll(/[^ -~]+/g, ' ')
    .trim()
  return words === '' ? `it returned ${status}` : `it returned ${status}: ${words}`
}
