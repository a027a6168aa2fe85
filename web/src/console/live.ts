import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { API } from './api.ts'
import { ME } from './session.tsx'

const POLL_MS = 3000

/** Queries to invalidate, by the first word of an event's action. */
const STALE: Readonly<Record<string, readonly string[]>> = {
  key: ['keys'],
  member: ['members', 'me'],
  invitation: ['members'],
  credits: ['credits', 'me'],
  workspace: ['me'],
  plan: ['me'],
  passkey: ['passkeys', 'me'],
  session: ['sessions'],
  signing_key: ['revocations', 'submissions', 'submission'],
}

/**
 * Keeps the page up to date through the event stream. Returns the polling interval, or false while the stream works.
 */
export function useLive(): number | false {
  const queries = useQueryClient()
  const [isConnected, setIsConnected] = useState(false)
  const isVisible = useVisible()
  const wasHidden = useRef(false)
  useEffect(() => {
    if (!isVisible) {
      wasHidden.current = true
      return undefined
    }
    // Anything may have changed while the page was hidden.
    if (wasHidden.current) void queries.invalidateQueries()
    const stream = new EventSource(`${API}/events`)
    let isFirst = true
    stream.addEventListener('ready', () => {
      setIsConnected(true)
      // Covers changes between the first load and the first connection. A reconnected stream replays missed events.
      if (isFirst) void queries.invalidateQueries()
      isFirst = false
    })
    stream.addEventListener('submission', ({ data }: MessageEvent<string>) =>
      submissionChanged(queries, data),
    )
    stream.addEventListener('change', ({ data }: MessageEvent<string>) => somethingChanged(queries, data))
    stream.addEventListener('reset', () => void queries.invalidateQueries())
    stream.addEventListener('ended', () => {
      stream.close()
      setIsConnected(false)
      void queries.invalidateQueries({ queryKey: ME })
    })
    stream.addEventListener('error', () => setIsConnected(false))
    return () => {
      stream.close()
      setIsConnected(false)
    }
  }, [queries, isVisible])
  return isConnected ? false : POLL_MS
}

function submissionChanged(queries: QueryClient, data: string): void {
  const { submission_id: id } = JSON.parse(data) as { readonly submission_id: string }
  void queries.invalidateQueries({ queryKey: ['submissions'] })
  void queries.invalidateQueries({ queryKey: ['submission', id] })
  for (const name of ['me', 'credits', 'audit', 'revocations'])
    void queries.invalidateQueries({ queryKey: [name] })
}

function somethingChanged(queries: QueryClient, data: string): void {
  const { action } = JSON.parse(data) as { readonly action: string }
  const [area = ''] = action.split('.')
  for (const name of [...(STALE[area] ?? []), 'audit']) void queries.invalidateQueries({ queryKey: [name] })
}

function useVisible(): boolean {
  const [isVisible, setIsVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const changed = (): void => setIsVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  }, [])
  return isVisible
}
