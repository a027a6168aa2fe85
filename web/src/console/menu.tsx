import { type ReactNode, useEffect, useRef } from 'react'
import { listen } from '../core/listen.ts'
import { Icon } from '../parts/icons.tsx'

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
