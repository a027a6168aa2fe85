import { isIP } from 'node:net'
import { isPublicAddress, networkRule } from '../http/addresses.ts'

/** Decides to which addresses the service connects on behalf of a workspace. */
export type AllowedAddresses = ReturnType<typeof allowedAddresses>

/** `networks`: addresses and networks that are allowed although they are not public, and without TLS. */
export function allowedAddresses(networks: readonly string[]) {
  const isException = networkRule(networks)
  const problem = (address: string, isEncrypted: boolean): string | undefined => {
    if (isException(address)) return undefined
    if (isPublicAddress(address)) return isEncrypted ? undefined : NO_TLS
    return `${address} is not ${isIP(address) === 0 ? 'an address' : 'a public address'}`
  }
  /** Names can have any address, and only exceptions are without TLS or in a private network. */
  const nameProblem = (name: string, isEncrypted: boolean): string | undefined => {
    if (networks.length > 0) return undefined
    if (!isEncrypted) return NO_TLS
    return name.includes('.') ? undefined : `${name} is not a public name`
  }
  return {
    /** Why an address is refused; undefined if it is allowed. `isEncrypted`: whether the connection uses TLS. */
    problem,
    /** Why a URL can never be reached, whatever its name resolves to; undefined if it can be. */
    urlProblem: ({ hostname, protocol, port }: URL): string | undefined => {
      const host = hostname.replaceAll(/^\[|\]$|\.$/g, '')
      const isEncrypted = protocol === 'https:'
      if (port === '0') return 'there is no port 0'
      if (isIP(host) === 0 && !isName(host)) return `${host} is not a name that can be resolved`
      const addresses = /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : [host]
      const problems = addresses.map((address) =>
        isIP(address) === 0 ? nameProblem(address, isEncrypted) : problem(address, isEncrypted),
      )
      return problems.includes(undefined) ? undefined : `${problems[0]}. ${SETTING}`
    },
  }
}

export const NO_TLS = 'the URL must begin with https://'
const SETTING = 'The operator allows other addresses with KITSEAL_WEBHOOK_ALLOW'

/** RFC 1035 and RFC 6761. */
const isName = (host: string): boolean =>
  host.length <= 253 &&
  !/(^|\.)invalid$/.test(host) &&
  host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
