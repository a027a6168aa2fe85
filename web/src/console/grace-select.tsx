import { Select } from '@mantine/core'
import { t } from '../core/texts.ts'

/** Hours, the usual one first. */
const HOURS = ['24', '168', '1', '0'] as const
export const USUAL_GRACE: string = HOURS[0]

export interface GraceSelectProps {
  readonly label: string
  readonly hours: string
  onChange(hours: string): void
}

/** How long a key or secret that was rotated keeps working. */
export function GraceSelect({ label, hours, onChange }: GraceSelectProps) {
  return (
    <Select
      label={label}
      data={HOURS.map((value) => ({ value, label: t(`console.graces.${value}`) }))}
      value={hours}
      allowDeselect={false}
      onChange={(value) => onChange(value ?? USUAL_GRACE)}
    />
  )
}
