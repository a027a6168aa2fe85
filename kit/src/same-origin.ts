const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/

/** Whether two addresses have the same origin. The loopback names with one port are one origin. */
export function sameOrigin(one: string, other: string): boolean {
  const origin = originOf(one)
  return origin !== undefined && origin === originOf(other)
}

/** The host of an address in ASCII, so that letters of another script cannot imitate a name. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** A URL or a mail address with its host in ASCII. */
export function inAscii(address: string): string {
  if (/^https?:/i.test(address) && URL.canParse(address)) {
    const { protocol, host, pathname } = new URL(address)
    return `${protocol}//${host}${pathname}`.replace(/\/$/, '')
  }
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1)
  return at >= 0 && URL.canParse(`http://${host}`)
    ? `${address.slice(0, at)}@${new URL(`http://${host}`).hostname}`
    : address
}

function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, port } = new URL(address)
  if (!/^https?:$/.test(protocol)) return undefined
  return `${protocol}//${LOOPBACK.test(hostname) ? 'localhost' : hostname}:${port}`
}
