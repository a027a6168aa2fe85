import { useCallback, useEffect, useState } from 'react'
import { listen } from './router.tsx'

export interface Loaded<T> {
  /** The newest one, also if it could not be loaded again. */
  readonly value?: T
  readonly error?: unknown
  reload(): Promise<void>
  put(value: T): void
}

/**
 * What `load` gives, which must be the same function each time. With `everyMs`, it is loaded again while someone looks at the page, and when
 * they come back to it or online.
 */
export function useLoaded<T>(load: () => Promise<T>, everyMs?: (value: T | undefined) => number): Loaded<T> {
  const [state, setState] = useState<Pick<Loaded<T>, 'value' | 'error'>>({})
  const reload = useCallback(
    () =>
      load().then(
        (value) => setState({ value }),
        (error: unknown) => setState((before) => ({ ...before, error })),
      ),
    [load],
  )
  useEffect(() => void reload(), [reload])
  const waitMs = everyMs?.(state.value)
  useEffect(() => {
    if (waitMs === undefined) return undefined
    const reloadIfSeen = (): void => {
      if (document.visibilityState === 'visible') void reload()
    }
    const timer = setInterval(reloadIfSeen, waitMs)
    const stop = listen(['focus', 'online', 'visibilitychange'], reloadIfSeen)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [reload, waitMs])
  return { ...state, reload, put: (value) => setState({ value }) }
}

/** What `work` gives, which must be the same function each time. It is stopped when other work replaces it, or nobody waits for it. */
export function useWork<T>(work: (signal: AbortSignal) => Promise<T>): Pick<Loaded<T>, 'value' | 'error'> {
  const [state, setState] = useState<Pick<Loaded<T>, 'value' | 'error'>>({})
  useEffect(() => {
    const stop = new AbortController()
    const put = (next: typeof state) => stop.signal.aborted || setState(next)
    setState({})
    work(stop.signal).then(
      (value) => put({ value }),
      (error: unknown) => put({ error }),
    )
    return () => stop.abort()
  }, [work])
  return state
}
