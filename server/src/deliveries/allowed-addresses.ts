// docs/decisions/0419
import { isIP } from 'node:net'
import { isPublicAddress, networkRule } from '../http/public-address.ts'

/** Decides to which addresses the service connects on behalf of a workspace. */
export type AllowedAddresses = ReturnType<typeof allowedAddresses>

/** `networks`: addresses and networks that are allowed although they are not public, and without TLS. */
export function allowedAddresses(networks: readonly string[]) {
  const isException = networkRule(networks)
  return {
    /** Why an address is refused; undefined if it is allowed. `isEncrypted`: whether the connection uses TLS. */
    problem: (address: string, isEncrypted: boolean): string | undefined => {
      if (isException(address)) return undefined
      if (isPublicAddress(address)) return isEncrypted ? undefined : 'the URL must begin with https://'
      return `${address} is not ${isIP(address) === 0 ? 'an address' : 'a public address'}`
    },
  }
}
