import type { Profile, ProfileList } from '@kitseal/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../client.ts'

/** A profile as a document, for the check. */
export type ProfileDocument = Omit<Profile, 'source' | 'version' | 'updated_at' | 'boundary'>

export const PROFILES = ['profiles'] as const

export function useProfileList() {
  return useQuery({ queryKey: PROFILES, queryFn: () => api.listProfiles(), staleTime: 60_000 })
}

export function useProfiles(): readonly ProfileDocument[] {
  const { data } = useProfileList()
  return data?.data.map(documentOf) ?? []
}

export const documentOf = (profile: ProfileList['data'][number]): ProfileDocument => {
  const { source: _source, version: _version, updated_at: _updated, ...document } = profile
  return document
}
