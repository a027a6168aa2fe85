import { Button, Modal } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { texts } from '../texts/index.ts'
import { Form } from './form.tsx'
import { Problem } from './problem.tsx'
import { useChange } from './use-change.ts'

export interface DialogProps {
  readonly title: string
  onClose(): void
  readonly children: ReactNode
}

/** Open while it is rendered. Scroll locking is off, because it injects styles, which the Content-Security-Policy blocks. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    },
    [opener],
  )
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      lockScroll={false}
      closeButtonProps={{ 'aria-label': texts.console.close }}
      transitionProps={{ duration: 120 }}
    >
      {children}
    </Modal>
  )
}

export interface FormDialogProps<Answer> {
  readonly title: string
  /** The text of the button. */
  readonly action: string
  /** The queries that are asked again afterwards. */
  readonly stale: QueryKey
  readonly isDangerous?: boolean
  readonly isReady?: boolean
  /** The button has the focus at first, because the form is usually sent as it is. */
  readonly isActionFocused?: boolean
  readonly children?: ReactNode
  run(): Promise<Answer>
  /** Closes the dialog unless told otherwise. */
  onDone?(answer: Answer): void
  onClose(): void
}

/** A form whose button changes something. */
export function FormDialog<Answer>(props: FormDialogProps<Answer>) {
  return <ChangeDialog {...props} className="fields" />
}

/** Asks for confirmation. */
export function ConfirmDialog<Answer>({
  text,
  children,
  isDangerous = true,
  ...props
}: FormDialogProps<Answer> & { readonly text: string }) {
  return (
    <ChangeDialog {...props} isDangerous={isDangerous}>
      <p>{text}</p>
      {children}
    </ChangeDialog>
  )
}

function ChangeDialog<Answer>(props: FormDialogProps<Answer> & { readonly className?: string }) {
  const { title, action, isDangerous = false, isReady = true, isActionFocused, className } = props
  const { children, onClose } = props
  const change = useChange(props.stale, props.run, props.onDone ?? onClose)
  return (
    <Dialog title={title} onClose={onClose}>
      <Form className={className} onSubmit={() => change.mutate()}>
        {children}
        {change.error !== null && <Problem error={change.error} />}
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose}>
            {texts.console.cancel}
          </Button>
          <Button
            type="submit"
            data-autofocus={isActionFocused}
            color={isDangerous ? 'red.9' : 'navy'}
            loading={change.isPending}
            disabled={!isReady}
          >
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
