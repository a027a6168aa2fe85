import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: Readonly<Record<string, unknown>>
}

/** Sends raw bytes and reads the response until the service closes the connection. */
export async function rawRequest(
  base: string,
  ...parts: readonly (string | Uint8Array)[]
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  for (const part of parts) socket.write(part)
  const chunks: Buffer[] = []
  // The service may close the connection before everything is sent.
  socket.on('error', () => {})
  socket.on('data', (chunk) => chunks.push(chunk))
  await new Promise((resolve) => socket.on('close', resolve))
  return parse(Buffer.concat(chunks).toString())
}

function parse(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const json = body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {}
  return { status: Number(first.split(' ')[1]), headers, json }
}
