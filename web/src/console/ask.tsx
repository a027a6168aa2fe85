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

export interface AskProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly isOpen: boolean
  /** The mutation that confirming runs. Closing the dialog resets its error. */
  readonly doing: { readonly isPending: boolean; readonly error: unknown; reset(): void }
  readonly isDangerous?: boolean
  readonly children?: ReactNode
  onYes(): void
  onClose(): void
}

/** Asks for confirmation. */
export function Ask(props: AskProps) {
  const { title, text, action, isOpen, doing, isDangerous = true, children, onYes } = props
  const onClose = (): void => {
    doing.reset()
    props.onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p>{text}</p>
      {children}
      {doing.error != null && <Problem error={doing.error} />}
      <div className="row dialog-actions">
        <Button variant="default" onClick={onClose}>
          {texts.console.cancel}
        </Button>
        <Button color={isDangerous ? 'red.9' : 'navy'} loading={doing.isPending} onClick={onYes}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
