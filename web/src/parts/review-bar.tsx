import { useRef, useState } from 'react'
import { t } from '../core/texts.ts'
import { Button, type ButtonProps } from './button.tsx'
import { RemarkForm } from './remarks.tsx'
import { Problem } from './blocks.tsx'

/** A button of a review. One that has `write` asks for a text first. */
export interface ReviewAction extends Pick<ButtonProps, 'look' | 'icon'> {
  readonly text: string
  /** Names the button for screen readers, and what is written. */
  readonly label?: string
  readonly write?: {
    readonly hint?: string
    /** The text of the button that sends. */
    readonly send: string
    readonly isOptional?: boolean
    /** The label is for screen readers alone. */
    readonly isLabelHidden?: boolean
  }
  run(text: string): Promise<unknown>
}

export interface ReviewBarProps {
  /** Left out where something does not apply: `false` is no action. */
  readonly actions: readonly (ReviewAction | false | undefined)[]
  /** What is reviewed, for screen readers, if there are several. */
  readonly subject?: string
  /** Where keyboard users continue after an action. The first button of the bar, if it is not given. */
  focusAfter?(bar: HTMLElement): HTMLElement | null | undefined
}

/** What a reviewer does with an item: decide at once, or write a text first. */
export function ReviewBar({ actions, subject, focusAfter }: ReviewBarProps) {
  const [writing, setWriting] = useState<ReviewAction>()
  const [busy, setBusy] = useState<string>()
  const [error, setError] = useState<unknown>()
  const bar = useRef<HTMLDivElement>(null)
  const labelOf = ({ text, label }: ReviewAction): string | undefined =>
    label ?? (subject === undefined ? undefined : text + t('common.colon') + subject)
  const shown = actions.filter((action) => action !== false && action !== undefined)
  /** The pressed button is gone. */
  const focus = (isDone: boolean): void =>
    void setTimeout(() => {
      if (bar.current === null) return
      const next = isDone ? focusAfter?.(bar.current) : undefined
      ;(next ?? bar.current.querySelector('button'))?.focus()
    })
  const run = async (action: ReviewAction, text: string): Promise<void> => {
    await action.run(text)
    setWriting(undefined)
    focus(true)
  }
  const press = async (action: ReviewAction): Promise<void> => {
    if (action.write !== undefined) return setWriting(action)
    setBusy(action.text)
    setError(undefined)
    await run(action, '').catch(setError)
    setBusy(undefined)
    return undefined
  }
  // What is being typed stays, also if its button goes meanwhile.
  const written = shown.find(({ text }) => text === writing?.text) ?? writing
  return (
    <div ref={bar}>
      {written?.write === undefined ? (
        <div className="row">
          {shown.map((action) => (
            <Button
              key={action.text}
              data-review
              look={action.look ?? 'plain'}
              size="small"
              icon={action.icon}
              aria-label={labelOf(action)}
              isBusy={busy === action.text}
              disabled={busy !== undefined && busy !== action.text}
              onClick={() => void press(action)}
            >
              {action.text}
            </Button>
          ))}
        </div>
      ) : (
        <RemarkForm
          key={written.text}
          {...written.write}
          label={labelOf(written) ?? written.text}
          hasFocus
          actions={[{ text: written.write.send, send: (text) => run(written, text) }]}
          onCancel={() => {
            setWriting(undefined)
            focus(false)
          }}
        />
      )}
      <Problem error={error} />
    </div>
  )
}
