import type { ServiceStatus } from '@kitseal/client/console'
import { Badge } from '../../parts/badge.tsx'
import { Card, type Fact, Facts } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { sizeText, numberText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'

/** A time and how long ago it was. */
function Since({ at }: { readonly at: string }) {
  return (
    <>
      <Time at={at} />{' '}
      <span className="quiet nowrap">
        (<Time at={at} as="ago" />)
      </span>
    </>
  )
}

const since = (at: string | null, otherwise: string) => (at === null ? otherwise : <Since at={at} />)

export function StorageCard({ status }: { readonly status: ServiceStatus }) {
  const { storage, backup, scrub } = status
  return (
    <Card title={t('console.service.storage.title')}>
      <Facts
        facts={[
          { name: t('console.service.storage.used'), value: sizeText(storage.used_bytes) },
          ...storage.disks.map(({ folder, free_bytes, size_bytes }) => ({
            name: t('console.service.storage.disk', { folder }),
            value: t('console.service.storage.free', {
              free: sizeText(free_bytes),
              size: sizeText(size_bytes),
            }),
          })),
          {
            name: t('console.service.storage.objects'),
            value: t(`console.service.storage.places.${storage.objects}`),
          },
          {
            name: t('console.service.storage.database'),
            value: t(`console.service.storage.databases.${storage.database}`),
          },
          {
            name: t('console.service.storage.backup'),
            value: since(backup?.finished_at ?? null, t('console.service.storage.never')),
          },
          {
            name: t('console.service.storage.scrub'),
            value: (
              <>
                {since(scrub.finished_at, t('console.service.storage.notYet'))}
                <span className="below quiet">{t('console.service.storage.scrubHint')}</span>
              </>
            ),
          },
        ]}
      />
    </Card>
  )
}

export function QueueCard({ queue }: { readonly queue: ServiceStatus['queue'] }) {
  return (
    <Card title={t('console.service.queue.title')}>
      <Facts
        facts={[
          { name: t('console.service.queue.waiting'), value: queue.waiting },
          { name: t('console.service.queue.running'), value: queue.running },
          {
            name: t('console.service.queue.oldest'),
            value: since(queue.oldest_at, t('console.service.queue.none')),
          },
        ]}
      />
    </Card>
  )
}

const KEY_LOOKS = {
  active: { icon: 'check', look: 'passed' },
  retired: { icon: 'clock', look: 'moved' },
  revoked: { icon: 'cross', look: 'failed' },
} as const

export function KeysCard({ keys }: { readonly keys: ServiceStatus['signing_keys'] }) {
  return (
    <Card title={t('console.service.keys.title')}>
      <p className="quiet">{t('console.service.keys.hint')}</p>
      <RowTable
        rows={keys}
        keyOf={({ kid }) => kid}
        columns={[
          {
            name: t('console.service.keys.columns.kid'),
            of: 'titles',
            cell: ({ kid }) => <code>{kid}</code>,
          },
          {
            name: t('console.service.keys.columns.state'),
            cell: ({ state }) => (
              <Badge {...KEY_LOOKS[state]}>{t(`console.service.keys.states.${state}`)}</Badge>
            ),
          },
          {
            name: t('console.service.keys.columns.since'),
            cell: ({ created_at }) => <Since at={created_at} />,
          },
        ]}
      />
    </Card>
  )
}

export function LogCard({ log }: { readonly log: ServiceStatus['log'] }) {
  return (
    <Card title={t('console.service.log.title')}>
      {log === null ? <p>{t('console.service.log.none')}</p> : <Facts facts={logFacts(log)} />}
    </Card>
  )
}

function logFacts(log: NonNullable<ServiceStatus['log']>): readonly Fact[] {
  return [
    { name: t('console.service.log.origin'), value: log.origin },
    { name: t('console.service.log.size'), value: numberText(log.size) },
    { name: t('console.service.log.checkpoint'), value: <Since at={log.updated_at} /> },
    { name: t('console.service.log.waiting'), value: log.waiting },
    {
      name: t('console.service.log.frozen'),
      value:
        log.frozen === null
          ? t('console.service.log.no')
          : t('console.service.log.frozenSince', { reason: log.frozen.reason }),
    },
    ...(log.witnesses.length === 0
      ? [{ name: t('console.service.log.witnesses'), value: t('console.service.log.noWitness') }]
      : []),
    ...log.witnesses.map(({ name, cosigned_at, problem }) => ({
      name: t('console.service.log.witness', { name }),
      value: (
        <>
          {since(cosigned_at, t('console.service.log.never'))}
          {problem !== null && <span className="below">{problem}</span>}
        </>
      ),
    })),
  ]
}
