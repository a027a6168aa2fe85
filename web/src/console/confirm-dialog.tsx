import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts/index.ts'
import { Problem } from './problem.tsx'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  onClose(): void
  readonly children: ReactNode
}

/** Scroll locking is off, because it injects styles, which the Content-Security-Policy blocks. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
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

export interface ConfirmDialogProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly isOpen: boolean
  /** The mutation that confirming runs. Closing the dialog resets its error. */
  readonly mutation: { readonly isPending: boolean; readonly error: unknown; reset(): void }
  readonly isDangerous?: boolean
  readonly children?: ReactNode
  onConfirm(): void
  onClose(): void
}

/** Asks for confirmation. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, action, isOpen, mutation, isDangerous = true, children, onConfirm } = props
  const onClose = (): void => {
    mutation.reset()
    props.onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p>{text}</p>
      {children}
      {mutation.error != null && <Problem error={mutation.error} />}
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          {texts.console.cancel}
        </Button>
        <Button color={isDangerous ? 'red.9' : 'navy'} loading={mutation.isPending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
