import type { Finding } from '../../core/findings.ts'
import { Card } from '../../parts/blocks.tsx'
import { Tick } from '../../parts/fields.tsx'
import { t } from '../../core/texts.ts'
import { acknowledgeable } from './acknowledgeable.ts'

export interface AcknowledgeProps {
  readonly findings: readonly Finding[]
  readonly accept: ReadonlySet<string>
  onAccept(codes: ReadonlySet<string>): void
}

/** One checkbox for possible secrets, and for each kind of damage to files and to profile items. Nothing if there is none. */
export function Acknowledge({ findings, accept, onAccept }: AcknowledgeProps) {
  const found = acknowledgeable(findings)
  const toggle = (code: string, isAccepted: boolean): void => {
    const after = new Set(accept)
    if (isAccepted) after.add(code)
    else after.delete(code)
    onAccept(after)
  }
  return (['secrets', 'files', 'items'] as const)
    .filter((of) => found[of].length > 0)
    .map((of) => {
      return (
        <Card key={of} title={t(`console.new.accept.${of}.title`)}>
          <p className="quiet">{t(`console.new.accept.${of}.text`)}</p>
          <ul className="stack">
            {found[of].map(({ code, rule, count }) => (
              <li key={code}>
                <Tick
                  isChecked={accept.has(code)}
                  label={t(`console.new.accept.${of}.label`, { count })}
                  hint={rule}
                  onChange={(isChecked) => toggle(code, isChecked)}
                />
              </li>
            ))}
          </ul>
        </Card>
      )
    })
}
