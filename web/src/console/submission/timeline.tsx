import { Card } from '../../parts/blocks.tsx'
import { instantText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import type { Step } from '../types.ts'

export function Timeline({ steps }: { readonly steps: readonly Step[] }) {
  const t = texts.console.timeline
  return (
    <Card title={t.title}>
      <ol className="timeline">
        {steps.map(({ at, action, actor, by }) => (
          <li key={`${at} ${action}`} data-action={action}>
            <p>{action in t.actions ? t.actions[action as keyof typeof t.actions] : action}</p>
            <p className="quiet">
              <time dateTime={at}>{instantText(at)}</time>, {t.by(actor, by)}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
}
