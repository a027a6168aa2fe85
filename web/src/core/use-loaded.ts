import { useCallback, useEffect, useState } from 'react'

export interface Loaded<T> {
  readonly value?: T
  readonly error?: unknown
  reload(): void
}

/** What `load` gives, which must be the same function each time. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({})
  const reload = useCallback(() => {
    load().then(
      (value) => setState({ value }),
      (error: unknown) => setState({ error }),
    )
  }, [load])
  useEffect(reload, [reload])
  return { ...state, reload }
}
