import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseCheckpoint, type SignedCheckpoint } from '@kitseal/kit/internal'

export interface WitnessRequest {
  readonly oldSize: number
  readonly checkpoint: SignedCheckpoint
}

export interface Reply {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A reply, or what to do with the connection. */
export type Behaviour = (
  request: WitnessRequest,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>

export interface HostileWitness extends AsyncDisposable {
  readonly url: string
  /** What it was asked, in order. */
  readonly requests: WitnessRequest[]
  /** Can be changed between requests. */
  behave: Behaviour
}

/** An HTTP server that answers add-checkpoint in any way. */
export async function hostileWitness(behave: Behaviour): Promise<HostileWitness> {
  const requests: WitnessRequest[] = []
  const server = createServer(async (message: IncomingMessage, response: ServerResponse) => {
    const parts: Uint8Array[] = []
    for await (const part of message) parts.push(part as Uint8Array)
    const body = Buffer.concat(parts)
    const request = {
      oldSize: Number(/^old (\d+)\n/.exec(body.toString('latin1'))?.[1]),
      checkpoint: parseCheckpoint(body.subarray(body.indexOf('\n\n') + 2)),
    }
    requests.push(request)
    const reply = await witness.behave(request, response)
    if (reply === undefined) return
    const type = reply.type === undefined ? {} : { 'content-type': reply.type }
    response.writeHead(reply.status ?? 200, { ...type, ...reply.headers })
    response.end(reply.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const witness: HostileWitness = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return witness
}
