import type { Workspace } from '@kitseal/client/console'
import { type Language, LANGUAGES } from '@kitseal/kit/internal'
import { Button, NativeSelect, Radio } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Fact, Card, Facts, Heading, Notice } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { limitText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.settings
  const isChanged = publicKits !== workspace.public_kits || language !== workspace.language
  return (
    <>
      <Heading title={texts.console.titles.settings} lead={t.lead} />
      {!allowed.is && <Notice tone="info">{allowed.why}</Notice>}
      <WorkspaceName />
      <Card title={t.workspace}>
        {!allowed.is && (
          <Facts
            facts={[
              { name: t.publicKits.label, value: t.publicKits.choices[workspace.public_kits].label },
              { name: t.language.label, value: LANGUAGES[workspace.language] },
            ]}
          />
        )}
        {allowed.is && (
          <Form className="fields" onSubmit={() => saving.mutate()}>
            <Radio.Group
              label={t.publicKits.label}
              description={t.publicKits.hint}
              value={publicKits}
              onChange={(value) => setPublicKits(value as Workspace['public_kits'])}
            >
              {Object.entries(t.publicKits.choices).map(([value, { label, description }]) => (
                <Radio key={value} mt="xs" value={value} label={label} description={description} />
              ))}
            </Radio.Group>
            <NativeSelect
              label={t.language.label}
              description={t.language.hint}
              value={language}
              data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
              onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
            />
            {saving.error !== null && <Problem error={saving.error} />}
            <div className="row">
              <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
                {t.save}
              </Button>
              <span className="quiet" role="status">
                {saving.isSuccess && !isChanged ? t.saved : ''}
              </span>
            </div>
          </Form>
        )}
      </Card>
      <PinnedIssuers />
      <Card title={t.plan}>
        <p className="quiet">{t.planHint}</p>
        <Facts facts={planFacts(workspace, issuer)} />
      </Card>
    </>
  )
}

function planFacts({ workspace_id, plan }: Workspace, issuer: string): readonly Fact[] {
  const t = texts.console.settings.facts
  return [
    { name: t.id, value: <Code value={workspace_id} what={t.id} /> },
    { name: t.issuer, value: issuer },
    { name: t.plan, value: plan.name },
    { name: t.upload, value: limitText(plan.upload_limit_bytes) },
    { name: t.unpacked, value: t.unpackedValue(limitText(plan.unpacked_limit_bytes), plan.unpacked_files) },
    { name: t.retention, value: plan.retention_days === null ? t.forever : t.days(plan.retention_days) },
    {
      name: t.storage,
      value: plan.storage_limit_bytes === null ? t.forever : limitText(plan.storage_limit_bytes),
    },
    { name: t.mails, value: t.mailsValue(plan.mails_per_day) },
    { name: t.rate, value: t.rateValue(plan.rate_per_minute) },
    { name: t.policy, value: plan.evidence_policy === 'open' ? t.policyOpen : t.policyExamined },
  ]
}
