import { Component, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, listen, navigate } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Heading, Notice } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icons.tsx'
import { type Permission, useAllowed } from './session.tsx'

export interface NotFoundProps {
  readonly title?: string
  readonly text?: string
}

/** Not found, with a link to the submissions. */
export function NotFound({ title = t('notFound.title'), text = t('notFound.text') }: NotFoundProps) {
  return (
    <>
      <Heading title={title} lead={text} />
      <Link href="/console/submissions">{t('console.toSubmissions')}</Link>
    </>
  )
}

/** Leads to the form for a new one, for those who may. */
export function NewButton({ to, href, text }: { readonly to: Permission; href: string; text: string }) {
  if (!useAllowed(to).is) return null
  return (
    <Button look="main" icon="plus" onClick={() => navigate(href)}>
      {text}
    </Button>
  )
}

/** Shows an error message in place of a page that throws. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Notice tone="fail" isAlert title={t('problem.title')}>
        <p>{t('problem.crashed')}</p>
        <Button onClick={() => location.reload()}>{t('problem.reload')}</Button>
      </Notice>
    )
  }
}

export interface MenuItem {
  readonly text: string
  /** A quiet line below. */
  readonly hint?: string
  readonly isCurrent?: boolean
  readonly isDangerous?: boolean
  run(): void
}

export interface MenuProps {
  readonly label: string
  readonly children: ReactNode
  /** What is false is not shown. */
  readonly items: readonly (MenuItem | false)[]
}

/** A button that opens a list of what can be done. */
export function Menu({ label, children, items }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = (): void => {
    if (menu.current !== null) menu.current.open = false
  }
  useEffect(
    () =>
      listen(['pointerdown', 'focusin'], ({ target }) => {
        if (target instanceof Node && menu.current?.contains(target) === false) close()
      }),
    [],
  )
  const shown = items.filter((item) => item !== false)
  if (shown.length === 0) return null
  return (
    <details
      ref={menu}
      className="menu"
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return
        close()
        menu.current?.querySelector('summary')?.focus()
      }}
    >
      <summary className="button" aria-label={label}>
        {children}
        <Icon name="chevron" size={14} className="icon turned" />
      </summary>
      <ul>
        {shown.map(({ text, hint, isCurrent, isDangerous, run }) => (
          <li key={text + (hint ?? '')}>
            <button
              type="button"
              className={`bare ${isDangerous === true ? 'bad' : ''}`}
              aria-current={isCurrent === true ? 'true' : undefined}
              onClick={() => {
                close()
                run()
              }}
            >
              {text}
              {hint !== undefined && <span className="quiet">{hint}</span>}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

export interface SearchProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  onSearch(wanted: string): void
}

const WAIT_MS = 250

/** Searches when nothing was typed for a moment. */
export function Search({ label, hint = label, value, onSearch }: SearchProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value])
  useEffect(() => {
    const wanted = text.trim()
    const timer = wanted === value ? undefined : setTimeout(() => onSearch(wanted), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      type="search"
      className="input"
      aria-label={label}
      placeholder={hint}
      maxLength={200}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  )
}
