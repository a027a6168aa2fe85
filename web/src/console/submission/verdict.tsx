import type { ReactNode } from 'react'
import { Icon } from '../../parts/icons.tsx'

export interface VerdictProps {
  readonly result: 'pass' | 'warn' | 'fail'
  readonly word: string
  readonly text: string
  readonly action?: ReactNode
}

const ICONS = { pass: 'check', warn: 'clock', fail: 'cross' } as const

/** The result of a submission, as a banner. */
export function Verdict({ result, word, text, action }: VerdictProps) {
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
      </div>
      {action}
    </div>
  )
}
