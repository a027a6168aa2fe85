import type { Host } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'

/** Node's crypto, with signatures verified in the thread pool, because that is half the cost of a request. */
export function pooledHost(): Host {
  return { ...nodeHost, verifyEd25519: nodeHost.verifyEd25519Aside ?? nodeHost.verifyEd25519 }
}
