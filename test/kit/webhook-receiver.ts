import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly seq: number
  readonly type: string
}

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string
  readonly received: readonly ReceivedWebhook[]
  /** The status of the next answers; `hang` for none. */
  answer: (request: ReceivedWebhook) => number | 'hang'
}

/** A receiver of webhooks on a free port. Keeps what it answered with 2xx. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { seq, type } = JSON.parse(body) as { seq: number; type: string }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const one = { headers, body, seq, type }
    const status = self.answer(one)
    if (status === 'hang') return
    if (status < 300) received.push(one)
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const self: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: () => 204,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return self
}
