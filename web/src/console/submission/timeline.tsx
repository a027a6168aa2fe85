import { Card } from '../../parts/blocks.tsx'
import { listed } from '@kitseal/kit/in-browser/words'
import { Code } from '../../parts/copy-button.tsx'
import { Time } from '../../parts/time.tsx'
import { known, t } from '../../core/texts.ts'
import type { TimelineEvent } from './submission-detail.ts'

export interface TimelineProps {
  readonly steps: readonly TimelineEvent[]
  readonly submissionId: string
}

/** Events, oldest first. Consecutive uploads are merged. */
export function Timeline({ steps, submissionId }: TimelineProps) {
  return (
    <Card title={t('console.timeline.title')}>
      <ol className="timeline">
        {merged(steps).map(({ at, action, actor, by, files }, index) => (
          <li key={`${index} ${action}`} data-action={action}>
            <p>{action === RECEIVED ? t('console.timeline.received', { files }) : nameOf(action)}</p>
            <p className="quiet">
              <Time at={at} />
              {listed(['', byText(actor, by ?? null)])}
            </p>
          </li>
        ))}
      </ol>
      <p className="quiet timeline-id">
        {t('console.submission.id')} <Code value={submissionId} what={t('console.submission.id')} />
      </p>
    </Card>
  )
}

const RECEIVED = 'evidence.received'

type Shown = TimelineEvent & { readonly files: number }

function merged(steps: readonly TimelineEvent[]): readonly Shown[] {
  const shown: Shown[] = []
  for (const step of steps) {
    const files = Number(step.details['files'] ?? 1)
    const last = shown.at(-1)
    const isSame = step.action === RECEIVED && last?.action === RECEIVED && last.by === step.by
    if (isSame) shown[shown.length - 1] = { ...step, files: last.files + files }
    else shown.push({ ...step, files })
  }
  return shown
}

const nameOf = (action: string): string => known(`console.timeline.actions.${action}`) ?? action

function byText(actor: TimelineEvent['actor'], name: string | null): string {
  if (name === null || (actor !== 'key' && actor !== 'member')) return t(`console.timeline.by.${actor}`)
  return t(`console.timeline.by.${actor}Named`, { name })
}
