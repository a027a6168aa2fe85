import type { ServiceStatus } from '@kitseal/client/console'
import { Badge } from '../../parts/badge.tsx'
import { Card, type Fact, Facts } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { sizeText, numberText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'

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
  const t = texts.console.service.storage
  return (
    <Card title={t.title}>
      <Facts
        facts={[
          { name: t.used, value: sizeText(storage.used_bytes) },
          ...storage.disks.map(({ folder, free_bytes, size_bytes }) => ({
            name: t.disk(folder),
            value: t.free(sizeText(free_bytes), sizeText(size_bytes)),
          })),
          { name: t.objects, value: t.places[storage.objects] },
          { name: t.database, value: t.databases[storage.database] },
          { name: t.backup, value: since(backup?.finished_at ?? null, t.never) },
          {
            name: t.scrub,
            value: (
              <>
                {scrub.is_on ? since(scrub.finished_at, t.notYet) : t.off}
                <span className="below quiet">{t.scrubHint}</span>
              </>
            ),
          },
        ]}
      />
    </Card>
  )
}

export function QueueCard({ queue }: { readonly queue: ServiceStatus['queue'] }) {
  const t = texts.console.service.queue
  return (
    <Card title={t.title}>
      <Facts
        facts={[
          { name: t.waiting, value: queue.waiting },
          { name: t.running, value: queue.running },
          { name: t.oldest, value: since(queue.oldest_at, t.none) },
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
  const t = texts.console.service.keys
  return (
    <Card title={t.title}>
      <p className="quiet">{t.hint}</p>
      <RowTable
        rows={keys}
        keyOf={({ kid }) => kid}
        columns={[
          { name: t.columns.kid, of: 'titles', cell: ({ kid }) => <code>{kid}</code> },
          {
            name: t.columns.state,
            cell: ({ state }) => <Badge {...KEY_LOOKS[state]}>{t.states[state]}</Badge>,
          },
          { name: t.columns.since, cell: ({ created_at }) => <Since at={created_at} /> },
        ]}
      />
    </Card>
  )
}

export function LogCard({ log }: { readonly log: ServiceStatus['log'] }) {
  const t = texts.console.service.log
  return <Card title={t.title}>{log === null ? <p>{t.none}</p> : <Facts facts={logFacts(log)} />}</Card>
}

function logFacts(log: NonNullable<ServiceStatus['log']>): readonly Fact[] {
  const t = texts.console.service.log
  return [
    { name: t.origin, value: log.origin },
    { name: t.size, value: numberText(log.size) },
    { name: t.checkpoint, value: <Since at={log.updated_at} /> },
    { name: t.waiting, value: log.waiting },
    { name: t.frozen, value: log.frozen === null ? t.no : t.frozenSince(log.frozen.reason) },
    ...(log.witnesses.length === 0 ? [{ name: t.witnesses, value: t.noWitness }] : []),
    ...log.witnesses.map(({ name, cosigned_at, problem }) => ({
      name: t.witness(name),
      value: (
        <>
          {since(cosigned_at, t.never)}
          {problem !== null && <span className="below">{problem}</span>}
        </>
      ),
    })),
  ]
}
