import { Checkbox } from '@mantine/core'
import type { Finding } from '../console/blocker-groups.ts'
import { Card } from '../parts/blocks.tsx'
import { texts } from '../texts/index.ts'

export interface AcknowledgeProps {
  readonly findings: readonly Finding[]
  readonly accept: ReadonlySet<string>
  onAccept(codes: ReadonlySet<string>): void
}

/** One checkbox for each kind of damage. Nothing if there is none. */
export function Acknowledge({ findings, accept, onAccept }: AcknowledgeProps) {
  const codes = [...new Set(findings.filter((one) => one.class === 'damage').map(({ code }) => code))]
  const t = texts.console.new.accept
  if (codes.length === 0) return null
  const toggle = (code: string, isAccepted: boolean): void => {
    const after = new Set(accept)
    if (isAccepted) after.add(code)
    else after.delete(code)
    onAccept(after)
  }
  return (
    <Card title={t.title}>
      <p className="quiet">{t.text}</p>
      <ul className="keep-list">
        {codes.map((code) => (
          <li key={code}>
            <Checkbox
              checked={accept.has(code)}
              label={t.label(findings.filter((one) => one.code === code).length)}
              description={<code>{code}</code>}
              onChange={({ currentTarget }) => toggle(code, currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
