import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'

const CHANGED = 'kitseal:navigated'

/** The path and query of the URL. */
export function useLocation(): URL {
  const href = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  return new URL(href, location.origin)
}

function subscribe(changed: () => void): () => void {
  addEventListener('popstate', changed)
  addEventListener(CHANGED, changed)
  return () => {
    removeEventListener('popstate', changed)
    removeEventListener(CHANGED, changed)
  }
}

export interface Navigation {
  /** Replaces the current history entry. */
  readonly replace?: boolean
}

export function navigate(to: string, { replace = false }: Navigation = {}): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  dispatchEvent(new Event(CHANGED))
  if (replace) return
  scrollTo(0, 0)
  // Moves screen readers to the start of the new page.
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
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
