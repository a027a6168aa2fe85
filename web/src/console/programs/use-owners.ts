import type { MemberList } from '@kitseal/client/console'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../client.ts'
import { MEMBERS } from '../members/roles.ts'

/** Members who can own an item: those who can add files. */
export function useOwners(): MemberList['members'] {
  const { data } = useQuery({ queryKey: MEMBERS, queryFn: () => api.listMembers() })
  return useMemo(() => data?.members.filter(({ role }) => role !== 'viewer') ?? [], [data])
}
