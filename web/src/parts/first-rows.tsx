import { Button } from './button.tsx'
import { type ReactNode, useState } from 'react'
import { t } from '../core/texts.ts'

const FIRST = 200

export interface FirstRows<T> {
  readonly rows: readonly T[]
  /** A button that shows the rest, if any. */
  readonly more: ReactNode
}

/** Shows the first 200 rows of a long list. */
export function useFirstRows<T>(all: readonly T[]): FirstRows<T> {
  const [isWhole, setIsWhole] = useState(false)
  if (isWhole || all.length <= FIRST) return { rows: all, more: null }
  const more = <Button onClick={() => setIsWhole(true)}>{t('common.showAll', { count: all.length })}</Button>
  return { rows: all.slice(0, FIRST), more }
}
