import type { ReactNode } from 'react'
import { Icon } from '../../parts/icons.tsx'

export interface VerdictProps {
  readonly result: 'pass' | 'warn' | 'fail'
  readonly word: string
  readonly text: string
  /** A line of facts below the text. */
  readonly facts?: ReactNode
  readonly action?: ReactNode
}

const ICONS = { pass: 'check', warn: 'clock', fail: 'cross' } as const

/** The result of a submission, as a banner. */
export function Verdict({ result, word, text, facts, action }: VerdictProps) {
  return (
    <div className={`verdict ${result} card`} role="status">
      <span className="verdict-mark">
        <Icon name={ICONS[result]} size={30} />
      </span>
      <div>
        <h2>
          <span className="verdict-word">{word}</span>
        </h2>
        <p>{text}</p>
        {facts !== undefined && facts !== false && <p className="quiet">{facts}</p>}
      </div>
      {action}
    </div>
  )
}
