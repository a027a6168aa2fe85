import { messageOf } from '../core/error-message.ts'
import { t } from '../core/texts.ts'
import { Notice, type NoticeProps } from './blocks.tsx'
import { Button } from './button.tsx'

export interface UnavailableProps extends Pick<NoticeProps, 'tone' | 'isAlert'> {
  readonly title: string
  readonly error: unknown
  onRetry(): void
}

/** Something that a page needs could not be loaded. */
export function Unavailable({ error, onRetry, ...props }: UnavailableProps) {
  return (
    <Notice {...props}>
      <p>{messageOf(error)}</p>
      <Button size="small" onClick={onRetry}>
        {t('problem.retry')}
      </Button>
    </Notice>
  )
}
