import { ApiError } from '@kitseal/client'
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listen } from '../core/router.tsx'
import { randomKey } from '../core/fetch-json.ts'
import { ask as askFor, FormOf, type FormOfProps, type Question } from '../parts/ask.tsx'
import { api, once, QUIETLY } from './client.ts'
import { gatherEvents } from './gather-events.ts'
import { ME, noticeEnd } from './session.tsx'

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== ME[0]) noticeEnd(queries, error)
    },
  }),
  mutationCache: new MutationCache({ onError: (error) => noticeEnd(queries, error) }),
  defaultOptions: {
    // The service may run on this machine, so requests are made even while the browser is offline.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5000,
      // Client errors are final; network and server errors are retried.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
})

const RECONNECT_MS = 3000

/** Keeps what is shown up to date through the event stream, while someone looks at the page. */
export function useLiveUpdates(): void {
  useEffect(() => {
    let stop = new AbortController()
    const start = (): void => {
      stop.abort()
      stop = new AbortController()
      if (document.visibilityState === 'visible') void follow(stop.signal)
    }
    start()
    const stopListening = listen(['visibilitychange'], start)
    return () => {
      stopListening()
      stop.abort()
    }
  }, [])
}

/** Reconnects after the last event, so that none is missed, until the session ends. Without a connection, everything is asked again. */
async function follow(signal: AbortSignal): Promise<void> {
  let last: number | undefined
  const changed = gatherEvents((stale) => {
    for (const queryKey of stale) void queries.invalidateQueries({ queryKey })
  }, signal)
  while (!signal.aborted) {
    try {
      const events = await api.streamEvents(last === undefined ? {} : { after: last }, { signal })
      // Anything may have changed before the first connection, or while the page was hidden.
      if (last === undefined) void queries.invalidateQueries()
      for await (const event of events) {
        last = event.seq
        changed(event)
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        void queries.invalidateQueries({ queryKey: ME })
        return
      }
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
    if (!signal.aborted) void queries.invalidateQueries()
  }
}

/** A query that stays up to date. Only its first request counts as user activity. `pollOf`: how often to ask, besides events. */
export const useLiveQuery = <T,>(
  key: readonly unknown[],
  ask: (options?: typeof QUIETLY) => Promise<T>,
  pollOf: (data: T) => number | false = () => false,
) =>
  useQuery({
    queryKey: key,
    queryFn: ({ client }) => ask(client.getQueryData(key) === undefined ? undefined : QUIETLY),
    refetchInterval: ({ state: { data } }) => data !== undefined && pollOf(data as T),
  })

interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

/** The page of a list that starts here, or the first one. */
export const pageAt = (cursor: string | null): { readonly cursor?: string } =>
  cursor === null ? {} : { cursor }

/** A list that is loaded page by page. Asking again for what is shown does not count as user activity. */
export function usePages<Row>(
  queryKey: QueryKey,
  ask: (page: { readonly cursor?: string }, options?: typeof QUIETLY) => Promise<ListPage<Row>>,
) {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, client }) => {
      const isFirst = client.getQueryData(queryKey) === undefined || pageParam !== null
      return ask(pageAt(pageParam), isFirst ? undefined : QUIETLY)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
  return { ...list, rows: list.data?.pages.flatMap(({ data }) => data) ?? [] }
}

const MAX_PAGES = 100

/** All rows of a list, page by page. */
export async function allPages<Row>(
  ask: (page: { readonly limit: number; readonly cursor?: string }) => Promise<ListPage<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const page: ListPage<Row> = await ask({ limit: 100, ...pageAt(cursor) })
    rows.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return rows
}

/** The names of all series of the workspace. */
export function useSeries(): string[] {
  const { data } = useQuery({
    queryKey: ['series'],
    queryFn: () => allPages((page) => api.listSeries(page)),
    staleTime: 60_000,
  })
  return data?.map(({ series }) => series) ?? []
}

/** Makes a change, and asks the queries again that show it. */
export async function changing<Answer>(stale: QueryKey, change: Promise<Answer>): Promise<Answer> {
  try {
    return await change
  } catch (error) {
    noticeEnd(queries, error)
    throw error
  } finally {
    void queries.invalidateQueries({ queryKey: stale })
  }
}

/** For a button that changes something. */
export const useChange = <Answer, Given = void>(
  stale: QueryKey,
  change: (given: Given) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
) =>
  useMutation({
    mutationFn: change,
    onSuccess: (answer) => onDone?.(answer),
    onSettled: () => queries.invalidateQueries({ queryKey: stale }),
  })

export interface Change<Values, Answer, Group extends string> extends Question<Values, Answer, Group> {
  /** The queries that are asked again afterwards. */
  readonly stale: QueryKey
  run(values: Values): Promise<Answer>
  onDone?(answer: Answer): void
}

/** Asks for confirmation, or for what a change needs, and makes it. */
export function askChange<Answer, Values extends object = object, Group extends string = never>(
  change: Change<Values, Answer, Group>,
): void {
  const { stale, onDone, ...question } = change
  void askFor<Values, { readonly answer: Answer }, Group>({
    ...question,
    run: async (values) => ({ answer: await changing(stale, change.run(values)) }),
  }).then((done) => done !== undefined && onDone?.(done.answer))
}

/** What a change needs, on its page. */
export function ChangeForm<Answer, Values extends object, Group extends string = never>({
  done,
  ...change
}: Change<Values, Answer, Group> & Pick<FormOfProps<Values, Answer, Group>, 'done'>) {
  const { stale, onDone, ...question } = change
  return (
    <FormOf
      question={{ ...question, run: (values) => changing(stale, change.run(values)) }}
      {...(done !== undefined && { done })}
      {...(onDone !== undefined && { onDone })}
    />
  )
}

/** Options for a request that takes effect once, however often it is sent. The same body has the same key. */
export function useOnce(): (body: object) => ReturnType<typeof once> {
  const last = useRef({ body: '', key: '' })
  return (given) => {
    const body = JSON.stringify(given)
    if (last.current.body !== body) last.current = { body, key: randomKey() }
    return once(last.current.key)
  }
}
