import { useEffect, useRef } from 'react'
import { useFields } from '../../parts/fields.tsx'
import { useMe } from '../session.tsx'

/** The values of a form that stay in this tab until it is sent, when the page is left or the session ends. */
export function useKeptFields<Values extends object>(name: string, initial: () => Values) {
  const key = `kitseal:${useMe().member.member_id}:${name}`
  const isSent = useRef(false)
  const [values, set] = useFields<Values>(() => read(key) ?? initial())
  const first = useRef(values)
  useEffect(() => {
    if (isSent.current || values === first.current) return
    try {
      sessionStorage.setItem(key, JSON.stringify(values))
    } catch {
      // The browser stores nothing for this page.
    }
  }, [key, values])
  const forget = (): void => {
    isSent.current = true
    try {
      sessionStorage.removeItem(key)
    } catch {
      // Nothing was stored.
    }
  }
  return [values, set, forget] as const
}

function read<Values extends object>(key: string): Values | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return typeof stored === 'object' && stored !== null ? (stored as Values) : undefined
  } catch {
    return undefined
  }
}
