import { createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

/** What the minimal servers need: the signing key, and a job as the service returns it. */
export interface PeerOrder {
  readonly x: string
  readonly job: object
}

// Runs in its own process: minimal servers that answer the same requests.
process.on('message', (order: PeerOrder) => {
  start(order).then(
    (ports) => process.send?.({ result: ports }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function start({ x, job }: PeerOrder): Promise<{ readonly http: number; readonly fastify: number }> {
  const http = bareHttp(x)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const fastify = bareFastify(job)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return {
    http: (http.address() as AddressInfo).port,
    fastify: (fastify.server.address() as AddressInfo).port,
  }
}

/** Parses the receipt and verifies one signature. */
function bareHttp(x: string) {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { signature, ...signed } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>
      const message = Buffer.from(JSON.stringify(signed))
      const holds = verify(null, message, key, Buffer.from(signature ?? '', 'base64url'))
      const body = JSON.stringify({ status: holds ? 'PASS' : 'FAIL' })
      response.writeHead(holds ? 200 : 500, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    })
  })
}

function bareFastify(job: object) {
  const app = Fastify({ logger: false })
  app.get('/v1/intake/jobs/:job_id', async () => job)
  return app
}
