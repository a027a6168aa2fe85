import { useEffect, useState } from 'react'
import { Icon } from '../parts/icons.tsx'

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
    <span className="search">
      <Icon name="search" />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={hint}
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </span>
  )
}
