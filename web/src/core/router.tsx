import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'

const CHANGED = 'kitseal:navigated'

/** The path and query of the URL. */
export function useLocation(): URL {
  const href = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  return new URL(href, location.origin)
}

const subscribe = (changed: () => void) => listen([CHANGED], changed)

interface Guard {
  /** The page that is guarded. */
  readonly href: string
  /** Asks the user whether to leave, and calls `go` if so. */
  ask(go: () => void): void
}

let guard: Guard | undefined

/** While this page is guarded, links and the back button ask first. Returns how to stop. */
export function guardNavigation(ask: Guard['ask']): () => void {
  const mine = { href: location.pathname + location.search, ask }
  guard = mine
  return () => {
    if (guard === mine) guard = undefined
  }
}

addEventListener('popstate', () => {
  if (guard === undefined || location.pathname + location.search === guard.href) {
    dispatchEvent(new Event(CHANGED))
    return
  }
  // The browser has left the page already: return to it, and leave again if the user agrees.
  history.pushState(null, '', guard.href)
  guard.ask(() => {
    guard = undefined
    history.back()
  })
})

export interface Navigation {
  /** Replaces the current history entry. */
  readonly replace?: boolean
}

export function navigate(to: string, { replace = false }: Navigation = {}): void {
  if (guard !== undefined && !replace) {
    guard.ask(() => {
      guard = undefined
      navigate(to)
    })
    return
  }
  const isSamePage = new URL(to, location.origin).pathname === location.pathname
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  dispatchEvent(new Event(CHANGED))
  if (replace && isSamePage) return
  scrollTo(0, 0)
  // Moves screen readers to the start of the new page.
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
}

/** The query of a URL. Empty and absent values are left out. */
export function queryText(values: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string
  readonly children: ReactNode
}

/** A link that does not reload, unless it leads to another document or opens in a new tab. */
export function Link({ href, onClick, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (documentOf(href) !== documentOf(location.pathname)) return
    event.preventDefault()
    navigate(href)
  }
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  )
}

/** The home page, the verifier and the console are separate documents. */
const documentOf = (path: string): string => path.split(/[/?#]/, 2)[1] ?? ''

/** The values of a pattern's `:name` parts, or undefined if the path does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const given = path.replace(/(?<=.)\/$/, '').split('/')
  if (wanted.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) found[part.slice(1)] = safelyDecoded(value)
    else if (part !== value) return undefined
  }
  return found
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Handles events that reach the window, until the returned function is called. */
export function listen(types: readonly string[], handle: (event: Event) => void): () => void {
  const stop = new AbortController()
  for (const type of types) addEventListener(type, handle, { signal: stop.signal })
  return () => stop.abort()
}
