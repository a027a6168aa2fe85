import type { Workspace } from '@kitseal/client/console'
import { type Language, LANGUAGES } from '@kitseal/kit/internal'
import { Button, NativeSelect, Radio } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Fact, Card, Facts, Heading, Notice } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { limitText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Form } from '../form.tsx'
import { Problem } from '../problem.tsx'
import { ME, useAllowed, useMe } from '../session.tsx'
import { PinnedIssuers } from './pinned-issuers.tsx'
import { WorkspaceName } from './workspace-name.tsx'

export function SettingsPage() {
  const { workspace, issuer } = useMe()
  const allowed = useAllowed('settings')
  const queries = useQueryClient()
  const [publicKits, setPublicKits] = useState(workspace.public_kits)
  const [language, setLanguage] = useState(workspace.language)
  const saving = useMutation({
    mutationFn: () => api.changeWorkspace({ public_kits: publicKits, language }),
    onSuccess: (me) => queries.setQueryData(ME, me),
  })
  const isChanged = publicKits !== workspace.public_kits || language !== workspace.language
  return (
    <>
      <Heading title={t('console.titles.settings')} lead={t('console.settings.lead')} />
      {!allowed.is && <Notice tone="info">{allowed.why}</Notice>}
      <WorkspaceName />
      <Card title={t('console.settings.workspace')}>
        {!allowed.is && (
          <Facts
            facts={[
              {
                name: t('console.settings.publicKits.label'),
                value: t(`console.settings.publicKits.choices.${workspace.public_kits}.label`),
              },
              { name: t('console.settings.language.label'), value: LANGUAGES[workspace.language] },
            ]}
          />
        )}
        {allowed.is && (
          <Form className="fields" onSubmit={() => saving.mutate()}>
            <Radio.Group
              label={t('console.settings.publicKits.label')}
              description={t('console.settings.publicKits.hint')}
              value={publicKits}
              onChange={(value) => setPublicKits(value as Workspace['public_kits'])}
            >
              {(['receipts', 'all', 'none'] as const).map((value) => (
                <Radio
                  key={value}
                  mt="xs"
                  value={value}
                  label={t(`console.settings.publicKits.choices.${value}.label`)}
                  description={t(`console.settings.publicKits.choices.${value}.description`)}
                />
              ))}
            </Radio.Group>
            <NativeSelect
              label={t('console.settings.language.label')}
              description={t('console.settings.language.hint')}
              value={language}
              data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
              onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
            />
            {saving.error !== null && <Problem error={saving.error} />}
            <div className="row">
              <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
                {t('console.settings.save')}
              </Button>
              <span className="quiet" role="status">
                {saving.isSuccess && !isChanged ? t('console.settings.saved') : ''}
              </span>
            </div>
          </Form>
        )}
      </Card>
      <PinnedIssuers />
      <Card title={t('console.settings.plan')}>
        <p className="quiet">{t('console.settings.planHint')}</p>
        <Facts facts={planFacts(workspace, issuer)} />
      </Card>
    </>
  )
}

function planFacts({ workspace_id, plan }: Workspace, issuer: string): readonly Fact[] {
  return [
    {
      name: t('console.settings.facts.id'),
      value: <Code value={workspace_id} what={t('console.settings.facts.id')} />,
    },
    { name: t('console.settings.facts.issuer'), value: issuer },
    { name: t('console.settings.facts.plan'), value: plan.name },
    { name: t('console.settings.facts.upload'), value: limitText(plan.upload_limit_bytes) },
    {
      name: t('console.settings.facts.unpacked'),
      value: t('console.settings.facts.unpackedValue', {
        bytes: limitText(plan.unpacked_limit_bytes),
        files: plan.unpacked_files,
      }),
    },
    {
      name: t('console.settings.facts.retention'),
      value:
        plan.retention_days === null
          ? t('console.settings.facts.forever')
          : t('console.settings.facts.days', { days: plan.retention_days }),
    },
    {
      name: t('console.settings.facts.storage'),
      value:
        plan.storage_limit_bytes === null
          ? t('console.settings.facts.forever')
          : limitText(plan.storage_limit_bytes),
    },
    {
      name: t('console.settings.facts.mails'),
      value: t('console.settings.facts.mailsValue', { count: plan.mails_per_day }),
    },
    {
      name: t('console.settings.facts.rate'),
      value: t('console.settings.facts.rateValue', { count: plan.rate_per_minute }),
    },
    {
      name: t('console.settings.facts.policy'),
      value:
        plan.evidence_policy === 'open'
          ? t('console.settings.facts.policyOpen')
          : t('console.settings.facts.policyExamined'),
    },
  ]
}
