import { isIP } from 'node:net'
import { Refusal } from '../refusals.ts'
import { PROBES, type Rule } from './admission.ts'

/**
 * A website can point its own name at this address and then read answers as if it were this service (DNS rebinding). Such requests
 * carry its name in `Host`; addresses and loopback names cannot be pointed elsewhere.
 */
export function isKnownHost(issuer: () => string): Rule {
  let own: string | undefined
  /** The issuer is known once the service listens. */
  const isOwn = (name: string): boolean => issuer() !== '' && name === (own ??= new URL(issuer()).hostname)
  return ({ raw, url }) => {
    const { host } = raw.headers
    if (host === undefined || PROBES.has(url)) return undefined
    const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
    const isLoopback = name === 'localhost' || name.endsWith('.localhost')
    if (isLoopback || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || isOwn(name)) return undefined
    return new Refusal(
      'host_unknown',
      'This service does not have this name. Use the host of its issuer; its operator sets it with KITSEAL_ISSUER.',
    )
  }
}
