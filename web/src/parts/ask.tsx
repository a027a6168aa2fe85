import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react'
import { known, t } from '../core/texts.ts'
import { Button, IconButton } from './button.tsx'
import { type FieldList, Fields, Form, useFields } from './fields.tsx'
import { Problem } from './blocks.tsx'

export interface DialogProps {
  readonly title: string
  readonly size?: 'large'
  onClose(): void
  onKeyDown?(event: React.KeyboardEvent): void
  readonly children: ReactNode
}

/** Open while it is rendered. The first field has the focus, and where it was before gets it back. */
export function Dialog({ title, size, onClose, onKeyDown, children }: DialogProps) {
  const open = useCallback((dialog: HTMLDialogElement) => {
    dialog.showModal()
    dialog.querySelector<HTMLElement>('.dialog-body :is(input:not([type=hidden]), select, textarea)')?.focus()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={open}
      className={`dialog ${size ?? ''}`}
      aria-label={title}
      onKeyDown={(event) => {
        onKeyDown?.(event)
        const isOurs =
          event.target instanceof Element && event.target.closest('dialog') === event.currentTarget
        if (!isOurs || event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing)
          return
        // Browsers close a dialog at the second Escape, without asking the page.
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="dialog-head">
        <h2>{title}</h2>
        <IconButton icon="cross" label={t('common.close')} onClick={onClose} />
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}

type Opened = (close: () => void) => ReactNode

let opened: readonly { readonly id: number; readonly show: Opened }[] = []
let lastId = 0
const listeners = new Set<() => void>()

function put(next: typeof opened): void {
  opened = next
  for (const changed of listeners) changed()
}

/** Shows a dialog until it is closed. */
export function openDialog(show: Opened): void {
  lastId += 1
  put([...opened, { id: lastId, show }])
}

/** Where the dialogs of a page are rendered. */
export function Dialogs() {
  const all = useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => opened,
  )
  return all.map(({ id, show }) => (
    <Closable key={id} show={show} close={() => put(opened.filter((one) => one.id !== id))} />
  ))
}

const Closable = ({ show, close }: { readonly show: Opened; close(): void }) => show(close)

export interface Question<Values, Answer, Group extends string> {
  /** The group of messages for `title`, `text` and `action`, if they are not given, and for the labels of the fields. */
  readonly texts?: Group
  /** The values in those messages. */
  readonly args?: Readonly<Record<string, string | number | boolean>>
  readonly title?: string
  /** What happens, or what to know before. */
  readonly text?: ReactNode
  /** On the button. */
  readonly action?: string
  readonly isDangerous?: boolean
  readonly size?: DialogProps['size']
  readonly initial?: Values
  fields?(values: Values): FieldList<Values, Group>
  /** Fields side by side where there is room. */
  readonly isPaired?: boolean
  /** Below the fields. */
  more?(values: Values, set: (changed: Partial<Values>) => void): ReactNode
  isReady?(values: Values): boolean
  /** What the button does. The dialog stays open if it fails, and says why. */
  run(values: Values): Promise<Answer> | Answer
}

/** Asks for confirmation, or for the values of a form. Undefined if the dialog was closed. */
export const ask = <Values extends object, Answer = void, Group extends string = never>(
  question: Question<Values, Answer, Group>,
): Promise<Answer | undefined> =>
  new Promise((resolve) =>
    openDialog((close) => (
      <Asked
        question={question}
        onEnd={(answer) => {
          close()
          resolve(answer)
        }}
      />
    )),
  )

const typedIn = (values: object): string =>
  JSON.stringify(Object.values(values).filter((value) => typeof value === 'string' && value !== ''))

/** The form of a question, and what becomes of its answer. */
function useAnswer<Values extends object, Answer, Group extends string>(
  question: Question<Values, Answer, Group>,
  onEnd: (answer: Answer) => void,
) {
  const { texts, args, initial = {} as Values } = question
  const [values, set] = useFields(initial)
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (): Promise<void> => {
    setIsBusy(true)
    setError(undefined)
    await Promise.resolve(values)
      .then((given) => question.run(given))
      .then(onEnd, setError)
    setIsBusy(false)
  }
  const say = (what: 'title' | 'text' | 'action'): string => known(`${texts}.${what}`, args) ?? ''
  const { title = say('title'), text = say('text'), action = say('action'), isDangerous = false } = question
  const isReady = question.isReady?.(values) ?? true
  const body = (
    <>
      {typeof text === 'string' && text !== '' ? <p>{text}</p> : text}
      {question.fields !== undefined && (
        <Fields
          texts={texts ?? ('common' as Group)}
          fields={question.fields(values)}
          isPaired={question.isPaired ?? false}
          values={values}
          set={set}
        />
      )}
      {question.more?.(values, set)}
      <Problem error={error} />
    </>
  )
  const button = (
    <Button type="submit" look={isDangerous ? 'danger' : 'main'} isBusy={isBusy} disabled={!isReady}>
      {action}
    </Button>
  )
  return { title, body, button, values, set, submit: () => void submit(), isReady }
}

interface AskedProps<Values, Answer, Group extends string> {
  readonly question: Question<Values, Answer, Group>
  onEnd(answer?: Answer): void
}

function Asked<Values extends object, Answer, Group extends string>({
  question,
  onEnd,
}: AskedProps<Values, Answer, Group>) {
  const { title, body, button, values, submit } = useAnswer(question, onEnd)
  // A key that is pressed by mistake does not lose what was written.
  const leave = async (): Promise<void> => {
    if (typedIn(values) === typedIn(question.initial ?? {})) return onEnd()
    const discard = { title: t('common.discardTitle'), action: t('common.discard'), isDangerous: true }
    if ((await ask({ ...discard, run: () => true })) === true) onEnd()
  }
  return (
    <Dialog title={title} onClose={() => void leave()} {...(question.size && { size: question.size })}>
      <Form className="fields" onSubmit={submit}>
        {body}
        <div className="row dialog-actions">
          <Button onClick={() => onEnd()}>{t('common.cancel')}</Button>
          {button}
        </div>
      </Form>
    </Dialog>
  )
}

export interface FormOfProps<Values extends object, Answer, Group extends string> {
  readonly question: Question<Values, Answer, Group>
  /** Said when it is done. The form then keeps its values; without it, it is empty again. */
  readonly done?: string
  onDone?(answer: Answer): void
}

/** A question that is always on its page. */
export function FormOf<Values extends object, Answer, Group extends string>({
  question,
  done,
  onDone,
}: FormOfProps<Values, Answer, Group>) {
  const [isDone, setIsDone] = useState(false)
  const { body, button, set, submit, isReady } = useAnswer(question, (answer) => {
    setIsDone(true)
    if (done === undefined && question.initial !== undefined) set(question.initial)
    onDone?.(answer)
  })
  return (
    <Form className="fields" onSubmit={submit}>
      {body}
      <div className="row">
        {button}
        <span className="quiet" role="status">
          {isDone && !isReady ? done : ''}
        </span>
      </div>
    </Form>
  )
}
