import { Button } from '@mantine/core'
import { Empty } from '../parts/blocks.tsx'
import { texts } from '../texts/index.ts'
import { OutsiderFrame } from './outsider-frame.tsx'

export interface LinkProblemProps {
  /** The error code of the service. */
  readonly code: string
  readonly message: string
}

const ENDED = /_(expired|revoked|not_found|exhausted|closed)$/

/** Says in plain words why a link does not work. */
export function LinkProblem({ code, message }: LinkProblemProps) {
  const t = texts.outside
  const reason = ENDED.exec(code)?.[1] as keyof typeof t.titles | undefined
  const title = reason === undefined ? texts.problem.title : t.titles[reason]
  return (
    <OutsiderFrame title={title}>
      <Empty
        icon={reason === 'expired' ? 'clock' : 'warning'}
        title={title}
        level={1}
        action={
          reason === undefined ? (
            <Button variant="default" onClick={() => location.reload()}>
              {texts.problem.retry}
            </Button>
          ) : undefined
        }
      >
        {message}
      </Empty>
    </OutsiderFrame>
  )
}
