import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { request } from 'node:http'
import { pipeline } from 'node:stream/promises'

export interface Sent {
  readonly status: number
  readonly body: string
  /** From the first byte to the response. */
  readonly seconds: number
}

const BOUNDARY = 'kitseal-bench-boundary'

/** Uploads a file as a browser form would, and reads the response. */
export async function sendFile(
  url: string,
  file: string,
  headers: Readonly<Record<string, string>> = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const name = file.slice(file.lastIndexOf('/') + 1)
  const head = Buffer.from(
    [
      ...Object.entries(fields).flatMap(([field, value]) => [
        `--${BOUNDARY}`,
        `Content-Disposition: form-data; name="${field}"`,
        '',
        value,
      ]),
      `--${BOUNDARY}`,
      `Content-Disposition: form-data; name="file"; filename="${name}"`,
      '',
      '',
    ].join('\r\n'),
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const { size } = await stat(file)
  const started = performance.now()
  const asked = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + size + tail.length,
    },
  })
  const answered = new Promise<Omit<Sent, 'seconds'>>((resolve, reject) => {
    asked.on('error', reject)
    asked.on('response', (response) => {
      let body = ''
      response.on('data', (chunk) => (body += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
  })
  asked.write(head)
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), asked, { end: false })
  asked.end(tail)
  return { ...(await answered), seconds: (performance.now() - started) / 1000 }
}
