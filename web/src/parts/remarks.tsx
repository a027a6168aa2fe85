import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { nameText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { Button } from './button.tsx'
import { Form } from './fields.tsx'
import { Problem } from './blocks.tsx'
import { Time } from './time.tsx'

/** What someone wrote about an item, a file or a kit. */
export interface Remark {
  readonly id: string | number
  readonly author: string
  /** Beside the author: their side, or that the name is not verified. */
  readonly side?: string | undefined
  readonly at: string
  /** Null if it was erased. */
  readonly text: string | null
  /** From the side of the reader. */
  readonly isOwn?: boolean
}

export interface RemarksProps<Each extends Remark> {
  readonly remarks: readonly Each[]
  /** Beside the author, such as a button that erases. */
  actions?(remark: Each): ReactNode
}

/** What people wrote, in the order that is given. */
export function Remarks<Each extends Remark>({ remarks, actions }: RemarksProps<Each>) {
  if (remarks.length === 0) return null
  return (
    <ul className="remarks stack">
      {remarks.map((remark) => (
        <li key={remark.id} className={remark.isOwn === true ? 'own' : undefined}>
          {remark.text === null ? (
            <p className="quiet">{t('common.erased')}</p>
          ) : (
            <>
              <p className="quiet">
                <span className="strong">{nameText(remark.author)}</span>
                {remark.side !== undefined && ` · ${remark.side}`} · <Time at={remark.at} as="ago" />
                {actions?.(remark)}
              </p>
              <p className="remark-text">{nameText(remark.text)}</p>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

export interface RemarkFormProps {
  readonly label: string
  /** The label is for screen readers alone. */
  readonly isLabelHidden?: boolean
  readonly hint?: string
  readonly isOptional?: boolean
  readonly maxLength?: number
  /** What the text can be sent as; the first with Ctrl+Enter. */
  readonly actions: readonly { readonly text: string; send(text: string): Promise<unknown> }[]
  readonly hasFocus?: boolean
  onCancel?: (() => void) | undefined
}

/** A text for others to read. Escape cancels it, Ctrl+Enter sends it, and it stays if it could not be sent. */
export function RemarkForm(props: RemarkFormProps) {
  const { label, hint, isOptional = false, maxLength = 2000, actions, hasFocus = false, onCancel } = props
  const [text, setText] = useState('')
  const [busy, setBusy] = useState<string>()
  const [error, setError] = useState<unknown>()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (hasFocus) field.current?.focus()
  }, [hasFocus])
  const isReady = isOptional || text.trim() !== ''
  const send = async (action: RemarkFormProps['actions'][number] | undefined): Promise<void> => {
    if (action === undefined || !isReady || busy !== undefined) return
    setBusy(action.text)
    setError(undefined)
    try {
      await action.send(text.trim())
      setText('')
    } catch (problem) {
      setError(problem)
    }
    setBusy(undefined)
  }
  return (
    <Form className="remark-form stack" onSubmit={() => void send(actions[0])}>
      <label htmlFor={id} className={props.isLabelHidden === true ? 'visually-hidden' : 'strong'}>
        {label}
      </label>
      <textarea
        id={id}
        className="input"
        rows={3}
        maxLength={maxLength}
        required={!isOptional}
        ref={field}
        placeholder={hint}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && onCancel !== undefined) {
            // A dialog around it stays open.
            event.preventDefault()
            event.stopPropagation()
            onCancel()
          }
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send(actions[0])
        }}
      />
      <Problem error={error} />
      <div className="row">
        {actions.map((action, index) => (
          <Button
            key={action.text}
            type={index === 0 ? 'submit' : 'button'}
            look={index === 0 ? 'main' : 'plain'}
            disabled={!isReady}
            isBusy={busy === action.text}
            {...(index > 0 && { onClick: () => void send(action) })}
          >
            {action.text}
          </Button>
        ))}
        {onCancel !== undefined && (
          <Button look="quiet" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        )}
        <span className="quiet key-hint">{t('common.sendKeys')}</span>
      </div>
    </Form>
  )
}
