import type { Plan, ServiceLimits } from '@kitseal/client/console'
import { Button, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { limitText, numberText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.service.plans
  return (
    <Card
      title={t.title}
      actions={
        <Button variant="default" onClick={() => setOpen('new')}>
          {t.new}
        </Button>
      }
    >
      <p className="quiet">{t.hint}</p>
      <QueryState query={query} />
      <RowTable
        rows={plans}
        keyOf={({ name }) => name}
        columns={[
          { name: t.columns.name, of: 'titles', cell: ({ name }) => name },
          {
            name: t.columns.upload,
            of: 'numbers',
            cell: ({ upload_limit_bytes }) => limitText(upload_limit_bytes),
          },
          {
            name: t.columns.storage,
            of: 'numbers',
            cell: ({ storage_limit_bytes: limit }) => (limit === null ? t.noLimit : limitText(limit)),
          },
          {
            name: t.columns.rate,
            of: 'numbers',
            cell: ({ rate_per_minute }) => numberText(rate_per_minute),
          },
          {
            name: t.columns.mails,
            of: 'numbers',
            cell: ({ mails_per_day }) => numberText(mails_per_day),
          },
          {
            name: t.columns.actions,
            of: 'actions',
            cell: (plan) => (
              <RowButton
                text={t.edit}
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
  const t = texts.console.service.plans
  const limits = (): ServiceLimits => ({
    upload_limit_bytes: Math.round(Number(values.upload) * MB),
    storage_limit_bytes: values.storage === '' ? null : Math.round(Number(values.storage) * MB),
    rate_per_minute: Number(values.rate),
    mails_per_day: Number(values.mails),
  })
  return (
    <FormDialog
      title={plan === undefined ? t.new : t.changing(plan.name)}
      action={plan === undefined ? t.create : t.save}
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
          label={t.name}
          description={t.nameHint}
          required
          pattern="[a-z0-9][a-z0-9\-]*"
          {...text('name')}
        />
      )}
      <NumberInput label={t.upload} required min={0.001} {...given('upload')} />
      <NumberInput label={t.storage} description={t.storageHint} min={0.001} {...given('storage')} />
      <NumberInput label={t.rate} required min={1} allowDecimal={false} {...given('rate')} />
      <NumberInput label={t.mails} required min={1} allowDecimal={false} {...given('mails')} />
    </FormDialog>
  )
}
