import { isIP } from 'node:net'

/** Addresses and networks such as `10.0.0.0/8`, separated by commas. Undefined if one is not valid. */
export function readNetworks(value: string): readonly string[] | undefined {
  const all = value.split(',').map((part) => part.trim())
  return all.every(isNetwork) ? all : undefined
}

function isNetwork(network: string): boolean {
  const [address = '', bits, ...more] = network.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
}
