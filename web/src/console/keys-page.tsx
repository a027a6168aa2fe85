import type { ApiKey, CreatedApiKey, FederationList } from '@kitseal/client'
import { t } from '../core/texts.ts'
import { Card, Empty, Heading } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/copy-button.tsx'
import { List } from '../parts/list.tsx'
import { Time } from '../parts/time.tsx'
import { api } from './client.ts'
import { showOnce } from './one-time.tsx'
import { askChange, useLiveQuery } from './queries.tsx'

const KEYS = ['keys'] as const
const FEDERATIONS = ['federations'] as const
const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const satisfies ApiKey['scopes']
const LIVES = (['', '30', '90', '365'] as const).map((value) => ({
  value,
  label: t(`console.keys.lives.${value === '' ? 'unlimited' : value}`),
}))
const GRACES = (['24', '168', '1', '0'] as const).map((value) => ({
  value,
  label: t(`console.keys.graces.${value}`),
}))

export default function KeysPage() {
  return (
    <>
      <Heading
        title={t('console.titles.keys')}
        lead={t('console.keys.lead')}
        actions={
          <Button look="main" icon="plus" onClick={createKey}>
            {t('console.keys.create')}
          </Button>
        }
      />
      <Keys />
      <Federations />
    </>
  )
}

const showKey = ({ key, api_key, notice }: Omit<CreatedApiKey, 'boundary'>): void =>
  showOnce({
    title: t('console.keys.secret.title', { label: key.label }),
    text: notice ?? t('console.keys.secret.text'),
    values: api_key == null ? [] : [{ label: t('console.keys.secret.what'), value: api_key }],
  })

const createKey = (): void =>
  askChange({
    title: t('console.keys.create'),
    action: t('console.keys.create'),
    stale: KEYS,
    texts: 'console.keys',
    initial: { label: '', scopes: ['submit', 'read'] as readonly ApiKey['scopes'][number][], life: '' },
    fields: () => [
      { name: 'label', isRequired: true, maxLength: 200 },
      {
        name: 'scopes',
        is: 'ticks',
        options: SCOPES.map((value) => ({ value, label: t(`console.keys.scopeNames.${value}`) })),
      },
      { name: 'life', is: 'select', options: LIVES },
    ],
    isReady: ({ label, scopes }) => label.trim() !== '' && scopes.length > 0,
    run: ({ label, scopes, life }) =>
      api.createApiKey({
        label: label.trim(),
        scopes: [...scopes],
        ...(life === '' ? {} : { expires_days: Number(life) }),
      }),
    onDone: showKey,
  })

const CHANGES = {
  rotate: ({ key_id, label }: ApiKey): void =>
    askChange({
      texts: 'console.keys.rotate',
      args: { label },
      stale: KEYS,
      initial: { grace: '24' },
      fields: () => [{ name: 'grace', is: 'select', options: GRACES }],
      run: ({ grace }) => api.rotateApiKey(key_id, { grace_hours: Number(grace) }),
      onDone: showKey,
    }),
  extend: ({ key_id, label }: ApiKey): void =>
    askChange({
      texts: 'console.keys.extend',
      args: { label },
      stale: KEYS,
      initial: { life: '90' },
      fields: () => [{ name: 'life', label: t('console.keys.life'), is: 'select', options: LIVES }],
      run: ({ life }) => api.extendKey(key_id, life === '' ? null : Number(life)),
    }),
  revoke: ({ key_id, label }: ApiKey): void =>
    askChange({
      texts: 'console.keys.revoke',
      args: { label },
      isDangerous: true,
      stale: KEYS,
      run: () => api.revokeApiKey(key_id),
    }),
}

/** A key that ends, by itself or with another key, can be extended. */
function changesOf({ status, created_by }: ApiKey) {
  if (status !== 'active' && status !== 'ending') return []
  return status === 'ending' || created_by?.startsWith('key_') === true
    ? (['rotate', 'extend', 'revoke'] as const)
    : (['rotate', 'revoke'] as const)
}

function Keys() {
  const list = useLiveQuery(KEYS, api.listApiKeys)
  return (
    <Card>
      <List
        query={list}
        rows={list.data?.data ?? []}
        empty={<Empty icon="key" texts="console.keys.none" />}
        subject={({ label }) => label}
        actions={(key) =>
          changesOf(key).map((is) => ({
            text: t(`console.keys.${is}.action`),
            isDangerous: is === 'revoke',
            run: () => CHANGES[is](key),
          }))
        }
        dataOf={({ key_id, status }) => ({ 'data-key': key_id, 'data-status': status })}
        texts="console.keys.columns"
        columns={[
          {
            name: 'label',
            of: 'titles',
            className: 'strong',
            cell: ({ label }) => label,
            below: ({ key_id }) => <code>{key_id}</code>,
          },
          { name: 'scopes', cell: ({ scopes }) => scopes.join(', ') },
          {
            name: 'status',
            className: 'long',
            cell: (key) => <KeyStatus of={key} />,
            below: ({ created_at, created_by, created_by_name }) => (
              <>
                {t('console.keys.created')} <Time at={created_at} as="day" />{' '}
                {created_by !== null &&
                  t('console.keys.by', { name: makerName(created_by_name ?? created_by) })}
              </>
            ),
          },
          {
            name: 'used',
            cell: ({ last_used_at: at }) => <Time at={at} as="ago" never={t('console.keys.neverUsed')} />,
          },
        ]}
      />
    </Card>
  )
}

const makerName = (name: string): string => (name === 'operator' ? t('console.audit.actors.operator') : name)

function KeyStatus({ of: { status, expires_at, revoked_at } }: { readonly of: ApiKey }) {
  const at = status === 'revoked' ? revoked_at : expires_at
  return (
    <>
      {t(`console.keys.statuses.${status}`)}{' '}
      {status !== 'active' && at !== null && (
        <span className="nowrap">
          <Time at={at} as={status === 'ending' ? 'instant' : 'day'} />
        </span>
      )}
    </>
  )
}

type Federation = FederationList['data'][number]

const claimText = ({ claim, equals, prefix }: Federation['claims'][number]): string =>
  prefix === undefined
    ? t('console.federations.equals', { claim, value: equals ?? '' })
    : t('console.federations.prefix', { claim, value: prefix })

/** CI systems whose jobs get keys of the workspace without a stored secret. They are added with the command line. */
function Federations() {
  const list = useLiveQuery(FEDERATIONS, api.listFederations)
  return (
    <Card title={t('console.federations.title')}>
      <p className="quiet">
        {t('console.federations.lead')}{' '}
        <a href="/docs/how-to/submit-from-ci">{t('console.federations.guide')}</a>
      </p>
      <List
        query={list}
        rows={list.data?.data ?? []}
        empty={<p>{t('console.federations.none')}</p>}
        subject={({ label }) => label}
        actions={({ federation_id, label }) => [
          {
            text: t('console.federations.remove.action'),
            isDangerous: true,
            run: () =>
              askChange({
                texts: 'console.federations.remove',
                args: { label },
                isDangerous: true,
                stale: FEDERATIONS,
                run: () => api.deleteFederation(federation_id),
              }),
          },
        ]}
        texts="console.federations.columns"
        columns={[
          {
            name: 'label',
            of: 'titles',
            cell: ({ label, issuer }) => (
              <>
                <span className="strong">{label}</span>
                <span className="quiet below">{issuer}</span>
              </>
            ),
            below: ({ federation_id, expires_at }) => (
              <>
                <Code value={federation_id} what={t('console.federations.id')} />
                {expires_at !== null && (
                  <span className="below">
                    {t('console.federations.ends')} <Time at={expires_at} />
                  </span>
                )}
              </>
            ),
          },
          {
            name: 'claims',
            className: 'long',
            cell: ({ claims }) =>
              claims.map((claim) => (
                <span className="below" key={claimText(claim)}>
                  {claimText(claim)}
                </span>
              )),
          },
          { name: 'scopes', cell: ({ scopes }) => scopes.join(', ') },
        ]}
      />
    </Card>
  )
}
