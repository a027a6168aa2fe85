import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MetricsListen } from '../settings/config.ts'
import type { Log } from '../runtime/logger.ts'
import type { Metrics } from './metrics.ts'

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Serves `/metrics` on an address of its own, which others cannot reach by default. Several processes of one machine share the
 * default: one of them has it, and the others run without.
 */
export async function serveMetrics(
  { registry, text }: Metrics,
  listen: MetricsListen,
  log: Log,
): Promise<MetricsServer | undefined> {
  if (listen.is === 'off') return undefined
  const server = createServer(async (request, response) => {
    const isFound = /^\/metrics(\?|$)/.test(request.url ?? '') && /^(GET|HEAD)$/.test(request.method ?? '')
    if (!isFound) return response.writeHead(404).end()
    const body = await text().catch((error: unknown) => log.error({ err: error }, 'metrics failed'))
    if (body === undefined) return response.writeHead(500).end()
    return response.writeHead(200, { 'content-type': registry.contentType }).end(body)
  })
  try {
    server.listen(listen.port, listen.host)
    await once(server, 'listening')
  } catch (error) {
    const problem = `cannot serve metrics on ${listen.host} port ${listen.port} (${(error as Error).message})`
    if (listen.isGiven)
      throw new Error(`${problem}. Choose another address with --metrics-listen.`, { cause: error })
    log.warn({}, `${problem}: set KITSEAL_METRICS_LISTEN to another address, or to off`)
    return undefined
  }
  const { address, port, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
