import { useQuery } from '@tanstack/react-query'
import type { Profile, ProfileList } from '../console/api-types.generated.ts'
import { get } from '../console/api.ts'

export function useProfiles(): readonly Profile[] {
  const { data } = useQuery({
    queryKey: ['profiles'],
    queryFn: () => get<ProfileList>('/profiles'),
    staleTime: Infinity,
  })
  return data?.profiles ?? []
}
