import { type Fetched, fetchJson } from '../fetch-json.ts'

export interface ServiceKey {
  readonly kid: string
  readonly state: 'active' | 'retired' | 'revoked'
  readonly since: string
  readonly until: string | null
}

/** Public information about the service. */
export interface ServiceFacts {
  readonly issuer: string
  readonly keys: readonly ServiceKey[]
  readonly profiles: readonly string[]
  readonly console: {
    readonly url: string
    readonly passkeys: boolean
    readonly oidc: { readonly name: string } | null
  }
  readonly long_boundary: string
}

export const fetchServiceFacts = (): Promise<Fetched<ServiceFacts>> => fetchJson('/console/api/public')
