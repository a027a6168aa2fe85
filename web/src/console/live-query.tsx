import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { get, getQuietly } from './api.ts'
import { useLive } from './live.ts'

const PollContext = createContext<number | false>(false)

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  return <PollContext value={useLive()}>{children}</PollContext>
}

/** A query that stays up to date. Only its first request counts as user activity. */
export function useLiveQuery<T>(key: readonly unknown[], path: string) {
  const poll = use(PollContext)
  return useQuery({
    queryKey: key,
    queryFn: ({ client }) => (client.getQueryData(key) === undefined ? get<T>(path) : getQuietly<T>(path)),
    refetchInterval: poll,
  })
}

export const usePoll = (): number | false => use(PollContext)
