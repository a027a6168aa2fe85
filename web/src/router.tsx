import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'

const CHANGED = 'kitseal:navigated'

/** The address below the origin, without the fragment. */
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
  /** Takes the place of the current entry in the history. */
  readonly replace?: boolean
}

export function navigate(to: string, { replace = false }: Navigation = {}): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  dispatchEvent(new Event(CHANGED))
  if (replace) return
  scrollTo(0, 0)
  // Whoever listens to a page instead of seeing it is led to the start of the new one.
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
}

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string
  readonly children: ReactNode
}

/** A link within these pages: no reload, unless it leads to another document or the user asks for another tab. */
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

/** The start page, the verifier and the console are three documents, each with a script of its own. */
const documentOf = (path: string): string => path.split(/[/?#]/, 2)[1] ?? ''

/** What `:name` parts of a pattern stand for in a path, or undefined where it does not match. */
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
