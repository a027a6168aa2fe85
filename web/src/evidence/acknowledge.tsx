import { Checkbox } from '@mantine/core'
import type { Finding } from '../console/blocker-groups.ts'
import { Card } from '../parts/blocks.tsx'
import { texts } from '../texts/index.ts'
import { acknowledgeable } from './acknowledgeable.ts'

export interface AcknowledgeProps {
  readonly findings: readonly Finding[]
  readonly accept: ReadonlySet<string>
  onAccept(codes: ReadonlySet<string>): void
}

/** One checkbox for each kind of damage, to files and to profile items. Nothing if there is none. */
export function Acknowledge({ findings, accept, onAccept }: AcknowledgeProps) {
  const damage = acknowledgeable(findings)
  const toggle = (code: string, isAccepted: boolean): void => {
    const after = new Set(accept)
    if (isAccepted) after.add(code)
    else after.delete(code)
    onAccept(after)
  }
  return (['files', 'items'] as const)
    .filter((of) => damage[of].length > 0)
    .map((of) => {
      const t = texts.console.new.accept[of]
      return (
        <Card key={of} title={t.title}>
          <p className="quiet">{t.text}</p>
          <ul className="keep-list">
            {damage[of].map(({ code, count }) => (
              <li key={code}>
                <Checkbox
                  checked={accept.has(code)}
                  label={t.label(count)}
                  description={<code>{code}</code>}
                  onChange={({ currentTarget }) => toggle(code, currentTarget.checked)}
                />
              </li>
            ))}
          </ul>
        </Card>
      )
    })
}
