import type { Workspace } from '../core/console-types.generated.ts'
import { LANGUAGES } from '@kitseal/kit/internal'
import { joinList } from '@kitseal/kit/in-browser/words'
import { useMutation } from '@tanstack/react-query'
import { limitText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { Card, Facts, Heading, Notice, Problem } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/copy-button.tsx'
import { api } from './client.ts'
import { Fields, Form, useFields } from '../parts/fields.tsx'
import { useAllowed, useMe, useSetMe } from './session.tsx'

export function SettingsPage() {
  const { workspace, issuer } = useMe()
  const allowed = useAllowed('settings')
  return (
    <>
      <Heading title={t('console.titles.settings')} lead={t('console.settings.lead')} />
      {!allowed.is && <Notice tone="info">{allowed.why}</Notice>}
      {allowed.is && <Change workspace={workspace} />}
      <Card title={t('console.settings.plan')}>
        <p className="quiet">{t('console.settings.planHint')}</p>
        {!allowed.is && (
          <Facts
            texts="console.settings.form"
            facts={{
              name: workspace.name,
              publicKits: t(`console.settings.publicKits.choices.${workspace.public_kits}.label`),
              language: LANGUAGES[workspace.language],
            }}
          />
        )}
        <Facts texts="console.settings.facts" facts={factsOf(workspace, issuer)} />
      </Card>
    </>
  )
}

function Change({ workspace }: { readonly workspace: Workspace }) {
  const [values, set] = useFields({
    name: workspace.name,
    publicKits: workspace.public_kits,
    language: workspace.language,
  })
  const { name, publicKits, language } = values
  const setMe = useSetMe()
  const saving = useMutation({
    mutationFn: () =>
      api.changeWorkspace({
        ...(name.trim() === workspace.name ? {} : { name: name.trim() }),
        public_kits: publicKits,
        language,
      }),
    onSuccess: setMe,
  })
  const isNamed = name.trim() !== workspace.name
  const isChanged = isNamed || publicKits !== workspace.public_kits || language !== workspace.language
  return (
    <Card title={t('console.settings.workspace')}>
      <Form className="fields" onSubmit={() => saving.mutate()}>
        <p className="quiet">
          {joinList([workspace.name, t(`console.settings.name.namedBy.${workspace.named_by}`)])}
        </p>
        <Fields
          values={values}
          set={set}
          texts="console.settings.form"
          fields={[
            {
              name: 'name',
              ...(isNamed &&
                workspace.named_by === 'operator' && { hint: t('console.settings.name.unconfirms') }),
              isRequired: true,
              maxLength: 200,
            },
            {
              name: 'publicKits',
              is: 'choice',
              options: (['receipts', 'all', 'none'] as const).map((value) => ({
                value,
                label: t(`console.settings.publicKits.choices.${value}.label`),
                hint: t(`console.settings.publicKits.choices.${value}.description`),
              })),
            },
            {
              name: 'language',
              is: 'select',
              options: Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
            },
          ]}
        />
        <Problem error={saving.error} />
        <div className="row">
          <Button
            type="submit"
            look="main"
            isBusy={saving.isPending}
            disabled={!isChanged || name.trim() === ''}
          >
            {t('console.settings.save')}
          </Button>
          <span className="quiet" role="status">
            {saving.isSuccess && !isChanged ? t('console.settings.saved') : ''}
          </span>
        </div>
      </Form>
    </Card>
  )
}

const limit = (bytes: number | null): string =>
  bytes === null ? t('console.settings.facts.forever') : limitText(bytes)

const factsOf = ({ workspace_id, plan }: Workspace, issuer: string) => ({
  id: <Code value={workspace_id} what={t('console.settings.facts.id')} />,
  issuer,
  plan: plan.name,
  upload: limit(plan.upload_limit_bytes),
  unpacked: t('console.settings.facts.unpackedValue', {
    bytes: limit(plan.unpacked_limit_bytes),
    files: plan.unpacked_files,
  }),
  retention:
    plan.retention_days === null
      ? t('console.settings.facts.forever')
      : t('console.settings.facts.days', { days: plan.retention_days }),
  storage: limit(plan.storage_limit_bytes),
  mails: t('console.settings.facts.mailsValue', { count: plan.mails_per_day }),
  rate: t('console.settings.facts.rateValue', { count: plan.rate_per_minute }),
  policy: t(
    plan.evidence_policy === 'open'
      ? 'console.settings.facts.policyOpen'
      : 'console.settings.facts.policyExamined',
  ),
})
