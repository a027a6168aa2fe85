import { NO_TRUST, type Trust } from '@kitseal/kit'
import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { publishedKeys } from '../verify/published-keys.ts'

export const KIT_TRUST = ['kit-trust']

/** The keys that the service verifies kits among the evidence with. Undefined while they load; without them, kits are not confirmed. */
export function useKitTrust(): Trust | undefined {
  const { data, isError } = useQuery({
    queryKey: KIT_TRUST,
    queryFn: loadKitTrust,
    staleTime: 300_000,
    retry: 1,
  })
  return isError ? NO_TRUST : data
}

async function loadKitTrust(): Promise<Trust> {
  const [own, { data: pins }] = await Promise.all([publishedKeys().catch(() => undefined), api.getTrust()])
  return { ...NO_TRUST, keySets: own === undefined ? [] : [own.keys], pins }
}
