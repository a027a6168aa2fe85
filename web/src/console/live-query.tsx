import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { QUIETLY } from './client.ts'
import { useLive } from './live.ts'

const PollContext = createContext<number | false>(false)

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  return <PollContext value={useLive()}>{children}</PollContext>
}

/** A query that stays up to date. Only its first request counts as user activity. `pollOf`: how often to ask, besides events. */
export function useLiveQuery<T>(
  key: readonly unknown[],
  ask: (options?: typeof QUIETLY) => Promise<T>,
  pollOf: (data: T) => number | false = () => false,
) {
  const poll = use(PollContext)
  return useQuery({
    queryKey: key,
    queryFn: ({ client }) => ask(client.getQueryData(key) === undefined ? undefined : QUIETLY),
    refetchInterval: ({ state: { data } }) => (data === undefined ? poll : pollOf(data as T) || poll),
  })
}

export const usePoll = (): number | false => use(PollContext)
