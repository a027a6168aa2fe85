import type { Workspace } from '../core/console-types.generated.ts'
import { LANGUAGES } from '@kitseal/kit/internal'
import { joinList } from '@kitseal/kit/in-browser/words'
import { limitText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { Card, Facts, Heading, Notice } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { api } from './client.ts'
import { ChangeForm } from './queries.tsx'
import { useAllowed, useMe, useSetMe } from './session.tsx'

export default function SettingsPage() {
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
  const setMe = useSetMe()
  const initial = {
    name: workspace.name,
    publicKits: workspace.public_kits,
    language: workspace.language,
  }
  const isNamed = (name: string): boolean => name.trim() !== workspace.name
  return (
    <Card title={t('console.settings.workspace')}>
      <ChangeForm
        texts="console.settings.form"
        text={
          <p className="quiet">
            {joinList([workspace.name, t(`console.settings.name.namedBy.${workspace.named_by}`)])}
          </p>
        }
        action={t('console.settings.save')}
        done={t('console.settings.saved')}
        stale={[]}
        initial={initial}
        fields={({ name }) => [
          {
            name: 'name',
            ...(isNamed(name) &&
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
        isReady={({ name, ...values }) =>
          name.trim() !== '' &&
          (isNamed(name) ||
            values.publicKits !== workspace.public_kits ||
            values.language !== workspace.language)
        }
        run={({ name, publicKits, language }) =>
          api.changeWorkspace({
            ...(isNamed(name) && { name: name.trim() }),
            public_kits: publicKits,
            language,
          })
        }
        onDone={setMe}
      />
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
