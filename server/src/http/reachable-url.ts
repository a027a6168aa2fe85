import type { AddressInfo } from 'node:net'

/** If a server listens on every interface: its loopback address, which works on the same machine, also if that is a container. */
export function reachableUrl(bound: AddressInfo | string | null): string {
  const { address, port } = bound as AddressInfo
  const host = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[address] ?? address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
