import { ApiError } from '@kitseal/client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from './client.ts'
import { gatherEvents } from './gather-events.ts'
import { ME } from './session.tsx'

const POLL_MS = 3000
const RECONNECT_MS = 3000

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
    const stop = new AbortController()
    void follow(queries, stop.signal, setIsConnected)
    return () => {
      stop.abort()
      setIsConnected(false)
    }
  }, [queries, isVisible])
  return isConnected ? false : POLL_MS
}

/** Reconnects after the last event, so that none is missed, until the session ends. */
async function follow(
  queries: QueryClient,
  signal: AbortSignal,
  onConnected: (isConnected: boolean) => void,
): Promise<void> {
  let last: number | undefined
  const changed = gatherEvents((stale) => {
    for (const queryKey of stale) void queries.invalidateQueries({ queryKey })
  }, signal)
  while (!signal.aborted) {
    try {
      const events = await api.streamEvents(last === undefined ? {} : { after: last }, { signal })
      onConnected(true)
      // Covers changes between the first load and the first connection.
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
    if (signal.aborted) return
    onConnected(false)
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
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
