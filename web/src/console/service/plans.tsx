import type { Plan, ServiceLimits } from '@kitseal/client/console'
import { Button, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { limitText, numberText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { FormDialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { QueryState } from '../problem.tsx'
import { RowButton } from '../row-button.tsx'
import { SERVICE } from './operators-only.tsx'
import { usePlans } from './plan-select.tsx'

/** The limits that operators change. */
export function Plans() {
  const query = usePlans()
  const [open, setOpen] = useState<Plan | 'new'>()
  const plans = query.data?.plans ?? []
  return (
    <Card
      title={t('console.service.plans.title')}
      actions={
        <Button variant="default" onClick={() => setOpen('new')}>
          {t('console.service.plans.new')}
        </Button>
      }
    >
      <p className="quiet">{t('console.service.plans.hint')}</p>
      <QueryState query={query} />
      <RowTable
        rows={plans}
        keyOf={({ name }) => name}
        columns={[
          { name: t('console.service.plans.columns.name'), of: 'titles', cell: ({ name }) => name },
          {
            name: t('console.service.plans.columns.upload'),
            of: 'numbers',
            cell: ({ upload_limit_bytes }) => limitText(upload_limit_bytes),
          },
          {
            name: t('console.service.plans.columns.storage'),
            of: 'numbers',
            cell: ({ storage_limit_bytes: limit }) =>
              limit === null ? t('console.service.plans.noLimit') : limitText(limit),
          },
          {
            name: t('console.service.plans.columns.rate'),
            of: 'numbers',
            cell: ({ rate_per_minute }) => numberText(rate_per_minute),
          },
          {
            name: t('console.service.plans.columns.mails'),
            of: 'numbers',
            cell: ({ mails_per_day }) => numberText(mails_per_day),
          },
          {
            name: t('console.service.plans.columns.actions'),
            of: 'actions',
            cell: (plan) => (
              <RowButton
                text={t('console.service.plans.edit')}
                subject={plan.name}
                isDangerous={false}
                onClick={() => setOpen(plan)}
              />
            ),
          },
        ]}
      />
      {open !== undefined && (
        <PlanForm
          plan={open === 'new' ? undefined : open}
          defaults={plans.find(({ name }) => name === 'default')}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}

const MB = 1024 * 1024

interface PlanFormProps {
  /** Undefined: a new one. */
  readonly plan: Plan | undefined
  readonly defaults: Plan | undefined
  onClose(): void
}

function PlanForm({ plan, defaults, onClose }: PlanFormProps) {
  const from = plan ?? defaults
  const { values, text, given } = useFields({
    name: '',
    upload: (from?.upload_limit_bytes ?? MB) / MB,
    storage: from?.storage_limit_bytes == null ? '' : from.storage_limit_bytes / MB,
    rate: from?.rate_per_minute ?? 1,
    mails: from?.mails_per_day ?? 1,
  } as {
    name: string
    upload: number | string
    storage: number | string
    rate: number | string
    mails: number | string
  })
  const limits = (): ServiceLimits => ({
    upload_limit_bytes: Math.round(Number(values.upload) * MB),
    storage_limit_bytes: values.storage === '' ? null : Math.round(Number(values.storage) * MB),
    rate_per_minute: Number(values.rate),
    mails_per_day: Number(values.mails),
  })
  return (
    <FormDialog
      title={
        plan === undefined
          ? t('console.service.plans.new')
          : t('console.service.plans.changing', { name: plan.name })
      }
      action={plan === undefined ? t('console.service.plans.create') : t('console.service.plans.save')}
      stale={SERVICE}
      run={() =>
        plan === undefined
          ? api.createServicePlan(values.name.trim(), limits())
          : api.changeServicePlan(plan.name, limits())
      }
      onClose={onClose}
    >
      {plan === undefined && (
        <TextInput
          label={t('console.service.plans.name')}
          description={t('console.service.plans.nameHint')}
          required
          pattern="[a-z0-9][a-z0-9\-]*"
          {...text('name')}
        />
      )}
      <NumberInput label={t('console.service.plans.upload')} required min={0.001} {...given('upload')} />
      <NumberInput
        label={t('console.service.plans.storage')}
        description={t('console.service.plans.storageHint')}
        min={0.001}
        {...given('storage')}
      />
      <NumberInput
        label={t('console.service.plans.rate')}
        required
        min={1}
        allowDecimal={false}
        {...given('rate')}
      />
      <NumberInput
        label={t('console.service.plans.mails')}
        required
        min={1}
        allowDecimal={false}
        {...given('mails')}
      />
    </FormDialog>
  )
}
