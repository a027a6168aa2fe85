import { connect } from 'node:net'
import type { Checked } from './http.ts'
import type { TestService } from './service.ts'
import type { WorkspaceClient } from './workspace.ts'

type Headers = Readonly<Record<string, string | undefined>>

const CHUNK = 'application/offset+octet-stream'

export const metadata = (members: Readonly<Record<string, string>>): string =>
  Object.entries(members)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** Plain requests of the tus protocol. A header that is undefined is not sent. */
export function tusClient({ call, base }: Pick<TestService, 'call' | 'base'>, { key }: WorkspaceClient) {
  const send = (method: string, path: string, headers: Headers, body?: Uint8Array): Promise<Checked> => {
    const sent = { 'x-api-key': key, 'tus-resumable': '1.0.0', ...headers }
    const given = Object.entries(sent).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return call(path, {
      method,
      headers: Object.fromEntries(given) as Record<string, string>,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    })
  }
  const create = (id: string, name: string, sizeBytes: number, headers: Headers = {}, body?: Uint8Array) =>
    send(
      'POST',
      `/v1/submissions/${id}/uploads`,
      { 'upload-length': String(sizeBytes), 'upload-metadata': metadata({ filename: name }), ...headers },
      body,
    )
  return {
    send,
    create,
    /** Creates an upload and returns its path. */
    upload: async (id: string, name: string, sizeBytes: number): Promise<string> =>
      (await create(id, name, sizeBytes)).headers.get('location') ?? '',
    append: (path: string, offset: number, bytes: Uint8Array, headers: Headers = {}) =>
      send('PATCH', path, { 'content-type': CHUNK, 'upload-offset': String(offset), ...headers }, bytes),
    offset: async (path: string): Promise<number> =>
      Number((await send('HEAD', path, {})).headers.get('upload-offset')),
    /** A PATCH whose content the test sends piece by piece. */
    startAppending: (path: string, offset: number, headers: readonly string[]) => {
      const { hostname, port } = new URL(base)
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      let received = ''
      socket.on('data', (data) => (received += String(data)))
      const head = [
        `PATCH ${path} HTTP/1.1`,
        'host: localhost',
        `x-api-key: ${key}`,
        'tus-resumable: 1.0.0',
        `content-type: ${CHUNK}`,
        `upload-offset: ${offset}`,
        ...headers,
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      return { socket, received: () => received }
    },
  }
}
