import { connect, type Socket } from 'node:net'
import { until } from './until.ts'

/** Whose evidence is uploaded where. */
export interface UploadTarget {
  readonly base: string
  readonly key: string
  readonly submissionId: string
}

/** The start of an upload request, up to its first chunk. */
export function uploadHead({ key, submissionId }: UploadTarget, lines: readonly string[]): string {
  return [
    `POST /v1/submissions/${submissionId}/evidence HTTP/1.1`,
    'host: localhost',
    `x-api-key: ${key}`,
    'content-type: multipart/form-data; boundary=x',
    ...lines,
    '',
    '',
  ].join('\r\n')
}

/** An upload that the test sends piece by piece. */
export function startUpload(target: UploadTarget) {
  const { hostname, port } = new URL(target.base)
  const socket: Socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk)))
  const send = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
  socket.write(uploadHead(target, ['transfer-encoding: chunked']))
  send('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
  return {
    socket,
    send: (text: string) => (text.endsWith('--\r\n') ? (send(text), socket.write('0\r\n\r\n')) : send(text)),
    response: async () => {
      await until(() => received.includes('\r\n\r\n') && received.includes('boundary"'))
      return received
    },
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  }
}
