import { isIPv6 } from 'node:net'

const MAX_ADDRESSES = 10_000
const BURST_SECONDS = 5

/**
 * Limits the requests of one address: `perSecond` on average, and a burst of five seconds' worth. 0 is no limit.
 * Limits by log would not help: everyone can send the public checkpoint of a log.
 */
export function addressLimit(perSecond: number, now: () => number): (address: string) => boolean {
  const burst = perSecond * BURST_SECONDS
  const buckets = new Map<string, { left: number; at: number }>()
  return (address) => {
    if (perSecond === 0) return true
    const network = networkOf(address)
    const before = buckets.get(network) ?? { left: burst, at: now() }
    const at = now()
    const left = Math.min(burst, before.left + (Math.max(0, at - before.at) / 1000) * perSecond)
    // The least recently used address is first.
    buckets.delete(network)
    buckets.set(network, { left: left < 1 ? left : left - 1, at })
    if (buckets.size > MAX_ADDRESSES) buckets.delete(buckets.keys().next().value ?? '')
    return left >= 1
  }
}

/** One person usually has a whole /64 of IPv6 addresses. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const start = head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - start.length - end.length
  return [...start, ...Array.from({ length: zeros }, () => '0'), ...end].slice(0, 4).join(':')
}
