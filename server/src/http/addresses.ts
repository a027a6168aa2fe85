import type { EventEmitter } from 'node:events'
import { BlockList, isIP } from 'node:net'

/** IPv6 addresses are limited by /64, which is what one subscriber gets. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

/** How many of something each address has. */
export class AddressCounts {
  readonly #counts = new Map<string, number>()

  /** Counts one more until it closes, and returns how many there are. */
  add(address: string, one: EventEmitter): number {
    const group = addressGroup(address)
    const count = (this.#counts.get(group) ?? 0) + 1
    this.#counts.set(group, count)
    one.once('close', () => {
      const left = (this.#counts.get(group) ?? 1) - 1
      if (left === 0) this.#counts.delete(group)
      else this.#counts.set(group, left)
    })
    return count
  }
}

/** Networks that are not the public internet (IANA special-purpose registries). */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]
/** Every other IPv6 address is local, mapped, translated (NAT64) or not assigned. */
const PUBLIC_V6 = '2000::/3'

const isSpecial = networkRule(NOT_PUBLIC)
const isGlobalV6 = networkRule([PUBLIC_V6])

/** Whether an address is on the public internet. False for IPv4 addresses that are written as IPv6, and for what is no address. */
export function isPublicAddress(text: string): boolean {
  const address = withoutZone(text)
  const version = isIP(address)
  return version !== 0 && !isSpecial(address) && (version === 4 || isGlobalV6(address))
}

/** Whether an address is one of these, or in one of these networks. */
export function networkRule(networks: readonly string[]): (address: string) => boolean {
  let made: ReturnType<typeof listsOf> | undefined
  return (text) => {
    const lists = (made ??= listsOf(networks))
    const address = withoutZone(text)
    const version = isIP(address)
    if (version === 4) return lists.ipv4.check(address, 'ipv4')
    // An IPv4 address that is written as IPv6 is in the networks of IPv4.
    return version === 6 && (lists.ipv6.check(address, 'ipv6') || lists.ipv4.check(address, 'ipv6'))
  }
}

/** One list for each family: a list with both also compares IPv4 addresses with the networks of IPv6. */
function listsOf(networks: readonly string[]) {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const each of networks) {
    const [network = '', bits] = each.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) lists[family].addAddress(network, family)
    else lists[family].addSubnet(network, Number(bits), family)
  }
  return lists
}

const withoutZone = (address: string): string => address.replace(/%.*$/, '')
