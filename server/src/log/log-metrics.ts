import { countOf } from '../database/questions.ts'
import type { Registry } from 'prom-client'
import { gauge, sharedReading } from '../runtime/gauges.ts'
import type { Db } from '../database/schema.ts'
import { inTime } from '../http/readiness.ts'
import { readLog } from './log-key.ts'
import { highestOf } from './high-water-mark.ts'
import type { LogMarks } from './high-water-mark.ts'
import { vkey } from '@kitseal/kit/internal'
import type { LogWitnessesTable } from '../database/schema.ts'
import type { WitnessPolicy } from './witness-policy.ts'

/** Every node reports the same values, from the shared database and mark. */
export function registerLogMetrics(
  registry: Registry,
  { db, marks }: { readonly db: Db; readonly marks: LogMarks },
  isTimeStamped: boolean,
): void {
  const ofLog = (name: string, help: string, read: () => Promise<number>): void =>
    gauge(registry, name, help, () => inTime(read(), Number.NaN))
  ofLog('kitseal_log_frozen', '1 if the log is frozen, so that no kits are issued.', async () =>
    (await readLog(db))?.frozen_at == null ? 0 : 1,
  )
  ofLog('kitseal_log_size', 'Leaves in the log.', async () => (await readLog(db))?.size ?? 0)
  ofLog('kitseal_log_mark_size', 'The largest signed size, according to the high-water mark.', async () => {
    const log = await readLog(db)
    const heads = log === undefined ? [] : await (await marks.of(log)).read()
    return highestOf(heads)[0]?.size ?? 0
  })
  ofLog(
    'kitseal_time_stamp_last_seconds',
    'When the newest checkpoint with a time-stamp was stored; 0 if there is none.',
    async () => Date.parse((await newestStamped(db))?.created_at ?? new Date(0).toISOString()) / 1000,
  )
  ofLog(
    'kitseal_time_stamps_missing',
    'Newest checkpoints that no time-stamp authority has stamped; 0 without KITSEAL_TSA_URL.',
    async () => {
      if (!isTimeStamped) return 0
      const size = (await newestStamped(db))?.size ?? -1
      return countOf(db.selectFrom('log_checkpoints').where('size', '>', size))
    },
  )
}

function newestStamped(db: Db) {
  return db
    .selectFrom('log_checkpoints')
    .select(['size', 'created_at'])
    .where('time_stamp', 'is not', null)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
}

const METRICS: readonly (readonly [name: string, help: string, read: (row: LogWitnessesTable) => number])[] =
  [
    [
      'kitseal_witness_last_cosigned_seconds',
      'When the witness last cosigned the log; 0 if never.',
      ({ cosigned_at: at }) => (at === null ? 0 : Date.parse(at) / 1000),
    ],
    [
      'kitseal_witness_failures_total',
      'Requests that the witness did not answer with a valid cosignature.',
      ({ failures }) => failures,
    ],
    ['kitseal_witness_size', 'The size of the log that the witness cosigned last.', ({ size }) => size],
  ]

/** Every node reports the same values, from the shared database; the last ones while it is unavailable. */
export function registerWitnessMetrics(
  registry: Registry,
  db: Db,
  witnesses: WitnessPolicy['witnesses'],
): void {
  const names = new Map(witnesses.map(({ name, key }) => [vkey(key), name]))
  const rows = sharedReading(() => db.selectFrom('log_witnesses').selectAll().execute())
  for (const [name, help, valueOf] of METRICS) {
    const read = async () => {
      const known = await rows()
      const ofWitness = (key: string): number => {
        const row = known?.find((each) => each.vkey === key)
        return row === undefined ? 0 : valueOf(row)
      }
      return known && new Map([...names].map(([key, witness]) => [witness, ofWitness(key)]))
    }
    gauge(registry, name, help, read, 'witness')
  }
}
