import { useQuery } from '@tanstack/react-query'
import { get } from '../console/api.ts'

/** A profile, as the service provides it. */
export interface ProfileDocument {
  readonly profile: string
  readonly title?: string
  readonly description?: string
  readonly items?: readonly { readonly id: string; readonly title: string }[]
}

export function useProfiles(): readonly ProfileDocument[] {
  const { data } = useQuery({
    queryKey: ['profiles'],
    queryFn: () => get<{ readonly profiles: readonly ProfileDocument[] }>('/profiles'),
    staleTime: Infinity,
  })
  return data?.profiles ?? []
}
