import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KIT_TRUST } from '../kit-trust.ts'
import { Card } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Form, useFields } from '../form.tsx'
import { Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { useChange } from '../use-change.ts'

interface StoredPin {
  readonly issuer: string
  readonly kid: string
  readonly created_at?: string
}

const PINS = ['pins']

/** The keys of other issuers that kits among the evidence are verified with. */
export function PinnedIssuers() {
  const allowed = useAllowed('settings')
  const queries = useQueryClient()
  const { values, set, text } = useFields({ issuer: '', kid: '' })
  const { data } = useQuery({ queryKey: PINS, queryFn: () => api.getTrust() })
  const saving = useChange(
    KIT_TRUST,
    (changed: readonly StoredPin[]) => api.setTrust({ data: changed }),
    (saved) => {
      queries.setQueryData(PINS, saved)
      set({ issuer: '', kid: '' })
    },
  )
  const pins = data?.data ?? []
  return (
    <Card title={t('console.settings.pins.title')}>
      <p className="quiet">{t('console.settings.pins.hint')}</p>
      {pins.map((pin) => (
        <div className="row" key={`${pin.issuer} ${pin.kid}`}>
          <span>{pin.issuer}</span>
          <Code value={pin.kid} what={t('console.settings.pins.kid')} />
          {allowed.is && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t('console.settings.pins.removeLabel', { issuer: pin.issuer })}
              onClick={() => saving.mutate(pins.filter((other) => other !== pin))}
            >
              {t('console.settings.pins.remove')}
            </Button>
          )}
        </div>
      ))}
      {pins.length === 0 && <p>{t('console.settings.pins.none')}</p>}
      {saving.error !== null && <Problem error={saving.error} />}
      {allowed.is && (
        <Form
          className="fields"
          onSubmit={() => saving.mutate([...pins, { issuer: values.issuer.trim(), kid: values.kid.trim() }])}
        >
          <TextInput
            label={t('console.settings.pins.issuer')}
            description={t('console.settings.pins.issuerHint')}
            type="url"
            required
            {...text('issuer')}
          />
          <TextInput
            label={t('console.settings.pins.kid')}
            description={t('console.settings.pins.kidHint')}
            required
            pattern="[A-Za-z0-9_\-]{43}"
            {...text('kid')}
          />
          <div className="row">
            <Button type="submit" loading={saving.isPending}>
              {t('console.settings.pins.add')}
            </Button>
          </div>
        </Form>
      )}
    </Card>
  )
}
