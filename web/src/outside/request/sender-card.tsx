import { TextInput } from '@mantine/core'
import { Card } from '../../parts/blocks.tsx'
import { t } from '../../core/texts.ts'

export interface SenderCardProps {
  readonly name: string
  onName(name: string): void
}

/** Who submits, as they call themselves. Optional. */
export function SenderCard({ name, onName }: SenderCardProps) {
  return (
    <Card title={t('request.sender.title')}>
      <TextInput
        label={t('request.sender.name')}
        description={t('request.sender.nameHint')}
        autoComplete="name"
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => onName(currentTarget.value)}
      />
    </Card>
  )
}
