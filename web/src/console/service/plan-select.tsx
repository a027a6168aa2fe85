import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { SERVICE } from './operators-only.tsx'

export const usePlans = () =>
  useQuery({ queryKey: [...SERVICE, 'plans'], queryFn: () => api.listServicePlans() })

export interface PlanSelectProps {
  readonly value: string
  readonly allowDeselect: boolean
  onChange(value: string | null): void
}

export function PlanSelect(props: PlanSelectProps) {
  const plans = usePlans().data?.plans.map(({ name }) => name) ?? [props.value]
  return <Select label={t('console.service.workspaces.plan')} data={plans} {...props} />
}
