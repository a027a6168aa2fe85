import { Button, Modal } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../core/texts.ts'
import { Form } from './form.tsx'
import { Problem } from './problem.tsx'
import { useChange } from './use-change.ts'

export interface DialogProps {
  readonly title: string
  readonly size?: 'lg'
  /** Esc does not close it, because another dialog is open above it. */
  readonly isFixed?: boolean
  onClose(): void
  readonly children: ReactNode
}

/** Open while it is rendered. Scroll locking is off, because it injects styles, which the Content-Security-Policy blocks. */
export function Dialog({ title, size, isFixed = false, onClose, children }: DialogProps) {
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
      {...(size === undefined ? {} : { size })}
      closeOnEscape={!isFixed}
      centered
      lockScroll={false}
      closeButtonProps={{ 'aria-label': t('console.close') }}
      transitionProps={{ duration: 120 }}
    >
      <div ref={markFirstField}>{children}</div>
    </Modal>
  )
}

/** The dialog opens with the focus on its first field. */
function markFirstField(body: HTMLElement | null): void {
  if (body?.querySelector('[data-autofocus]') === null)
    body.querySelector('input:not([type=hidden]), select, textarea')?.setAttribute('data-autofocus', '')
}

export interface FormDialogProps<Answer> {
  readonly title: string
  /** The text of the button. */
  readonly action: string
  /** The queries that are asked again afterwards. */
  readonly stale: QueryKey
  readonly isDangerous?: boolean
  readonly isReady?: boolean
  readonly children?: ReactNode
  run(): Promise<Answer>
  /** Closes the dialog unless told otherwise. */
  onDone?(answer: Answer): void
  onClose(): void
}

/** A form whose button changes something. */
export function FormDialog<Answer>({ title, ...form }: FormDialogProps<Answer>) {
  return (
    <Dialog title={title} onClose={form.onClose}>
      <ChangeForm {...form} className="fields" />
    </Dialog>
  )
}

/** Asks for confirmation. */
export function ConfirmDialog<Answer>({
  title,
  text,
  children,
  isDangerous = true,
  ...form
}: FormDialogProps<Answer> & { readonly text: string }) {
  return (
    <Dialog title={title} onClose={form.onClose}>
      <ChangeForm {...form} isDangerous={isDangerous}>
        <p>{text}</p>
        {children}
      </ChangeForm>
    </Dialog>
  )
}

export type ChangeFormProps<Answer> = Omit<FormDialogProps<Answer>, 'title'> & { readonly className?: string }

/** The contents of a dialog whose button changes something. */
export function ChangeForm<Answer>(props: ChangeFormProps<Answer>) {
  const { action, isDangerous = false, isReady = true, className, children, onClose } = props
  const change = useChange(props.stale, props.run, props.onDone ?? onClose)
  return (
    <Form className={className} onSubmit={() => change.mutate()}>
      {children}
      {change.error !== null && <Problem error={change.error} />}
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          {t('console.cancel')}
        </Button>
        <Button
          type="submit"
          color={isDangerous ? 'red.9' : 'navy'}
          loading={change.isPending}
          disabled={!isReady}
        >
          {action}
        </Button>
      </div>
    </Form>
  )
}
