// docs/decisions/0419
import { BlockList, isIP } from 'node:net'

/** Decides to which addresses the service connects on behalf of a workspace. */
export interface AllowedAddresses {
  /** Why an address is refused; undefined if it is allowed. `isEncrypted`: whether the connection uses TLS. */
  problem(address: string, isEncrypted: boolean): string | undefined
}

/** Networks that are not the public internet (IANA special-purpose registries). */
const NOT_PUBLIC_V4 = [
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
]
/** Everything outside is local, mapped, translated (NAT64) or not assigned. */
const PUBLIC_V6 = '2000::/3'
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

/** `networks`: addresses and networks that are allowed although they are not public, and without TLS. */
export function allowedAddresses(networks: readonly string[]): AllowedAddresses {
  const allowed = listOf(networks)
  const notPublic = listOf([...NOT_PUBLIC_V4, ...NOT_PUBLIC_V6])
  const publicV6 = listOf([PUBLIC_V6])
  return {
    problem: (given, isEncrypted) => {
      const address = withoutZone(given)
      const version = isIP(address)
      if (version === 0) return `${given} is not an address`
      const family = version === 4 ? 'ipv4' : 'ipv6'
      if (allowed.check(address, family)) return undefined
      const isPublic = !notPublic.check(address, family) && (version === 4 || publicV6.check(address, family))
      if (!isPublic) return `${given} is not a public address`
      return isEncrypted ? undefined : 'the URL must begin with https://'
    },
  }
}

const withoutZone = (address: string): string => address.replace(/%.*$/, '')

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
