import { Button } from '@mantine/core'

export interface RowButtonProps {
  readonly text: string
  /** Names the row for screen readers. */
  readonly subject: string
  readonly isDangerous?: boolean
  readonly isLoading?: boolean
  onClick(): void
}

/** A small button in a row of a list. */
export function RowButton({ text, subject, isDangerous = true, isLoading = false, onClick }: RowButtonProps) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      className={isDangerous ? 'danger' : ''}
      loading={isLoading}
      onClick={onClick}
    >
      {text}
      <span className="visually-hidden"> {subject}</span>
    </Button>
  )
}
