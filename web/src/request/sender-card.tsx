import { TextInput } from '@mantine/core'
import { Card } from '../parts/blocks.tsx'
import { texts } from '../texts/index.ts'

export interface SenderCardProps {
  readonly name: string
  onName(name: string): void
}

/** Who submits, as they call themselves. Optional. */
export function SenderCard({ name, onName }: SenderCardProps) {
  const t = texts.request.sender
  return (
    <Card title={t.title}>
      <TextInput
        label={t.name}
        description={t.nameHint}
        autoComplete="name"
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => onName(currentTarget.value)}
      />
    </Card>
  )
}
