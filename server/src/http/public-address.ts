import { BlockList, isIP } from 'node:net'

/** One list for each family: a list with both also compares IPv4 addresses with the networks of IPv6. */
const NOT_PUBLIC = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  NOT_PUBLIC.ipv4.addSubnet(network, bits, 'ipv4')
/** Everything that is not assigned for global use, and prefixes that embed an IPv4 address. */
for (const [network, bits] of [
  ['::', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['4000::', 2],
  ['8000::', 1],
] as const)
  NOT_PUBLIC.ipv6.addSubnet(network, bits, 'ipv6')

/** Whether a connection may go to an address: it is public, or one of `allowed` (addresses and networks). */
export function addressRule(allowed: readonly string[]): (address: string) => boolean {
  const exceptions = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const each of allowed) {
    const [network = '', bits] = each.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    exceptions[family].addSubnet(
      network,
      bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits),
      family,
    )
  }
  return (text) => {
    const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text.split('%', 1)[0] ?? ''
    const version = isIP(address)
    if (version === 0) return false
    const family = version === 6 ? 'ipv6' : 'ipv4'
    return exceptions[family].check(address, family) || !NOT_PUBLIC[family].check(address, family)
  }
}
